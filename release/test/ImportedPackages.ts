import { isBuiltin } from "node:module"

/** The names of the packages that a module or a declaration imports. */
export const importedPackages = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()"([@a-z][^"]*)"/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !isBuiltin(name))
    .map((name) => name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/"))
