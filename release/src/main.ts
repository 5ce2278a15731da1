// npm run release:pack: makes the tarballs to publish, in release/packed.

import { join, relative } from "node:path"
import { pack } from "./Pack.ts"
import { ROOT } from "./Repository.ts"

for (const tarball of pack(join(ROOT, "release/packed"))) console.log(relative(ROOT, tarball))
