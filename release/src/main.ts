import { join, relative } from "node:path"
import * as ExampleRanges from "./ExampleRanges.ts"
import { pack } from "./Pack.ts"
import { ROOT } from "./Repository.ts"

const USAGE = `usage: node release/dist/main.js COMMAND

  pack      makes the tarballs to publish in release/packed
  examples  sets the versions that the examples require to those of the packages`

const [command] = process.argv.slice(2)

if (command === "pack") {
  for (const tarball of pack(join(ROOT, "release/packed"))) {
    console.log(relative(ROOT, tarball))
  }
} else if (command === "examples") ExampleRanges.update(ROOT)
else {
  console.error(USAGE)
  process.exitCode = 2
}
