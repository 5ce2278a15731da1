// Stryker does not change code for tests or traces alone.

const reasonToIgnore = (path) => {
  if (path.isObjectProperty() && path.node.key.name === "arbitrary") return "makes values for tests"
  if (path.isCallExpression() && path.node.callee.name === "traced") return "names a span"
  return undefined
}

export const strykerPlugins = [{ kind: "Ignore", name: "seen-by-nobody", value: { shouldIgnore: reasonToIgnore } }]
