import { post, reasonOf } from "./DemoServer.ts"
import { byId, element } from "./Dom.ts"
import type { PageFacts } from "./PageFacts.d.ts"

/** Sends sample notifications to the webhook, like a code host or an error tracker. */
export const start = ({ samples }: PageFacts): void => {
  const choice = byId("sample", HTMLSelectElement)
  const note = byId("sent", HTMLParagraphElement)
  choice.replaceChildren(...samples.map(({ title }, index) => {
    const option = element("option", "", title)
    option.value = String(index)
    return option
  }))
  const sendChosen = async (): Promise<void> => {
    const sample = samples[Number(choice.value)]
    if (sample === undefined) return
    const { body, headers, path, title } = sample
    try {
      await post(`v1${path}`, headers, body)
      note.textContent = `Sent: ${title}`
      // The next click shows something else.
      choice.selectedIndex = (choice.selectedIndex + 1) % samples.length
    } catch (cause) {
      note.textContent = reasonOf(cause)
    }
  }
  byId("send", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault()
    void sendChosen()
  })
}
