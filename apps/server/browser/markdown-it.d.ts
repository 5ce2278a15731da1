// The server serves the package's module for browsers beside those of this folder.
// oxlint-disable-next-line import/no-default-export -- it is the package's
export { default, type Token } from "markdown-it"
