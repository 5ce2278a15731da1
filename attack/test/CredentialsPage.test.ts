import { expect, it } from "vitest"
import * as CredentialsPage from "../src/credentials/CredentialsPage.ts"

it("docs/credentials.md shows the table that the attack checks; vitest -u writes it", async () => {
  await expect(CredentialsPage.markdown()).toMatchFileSnapshot("../../docs/credentials.md")
})
