import { BodyMemory, UNCOUNTED } from "@community-messaging/http-adapter/server/bodies/BodyMemory"
import { describe, expect, it } from "vitest"

const MEBIBYTE = 1024 * 1024

const memory = () => new BodyMemory({ total: 10 * MEBIBYTE, perPrincipal: 4 * MEBIBYTE })

const codeOf = (refusal: ReturnType<ReturnType<BodyMemory["lease"]>["growTo"]>) => refusal?.code

describe("The memory of bodies", () => {
  it("is limited for a principal, without effect on its other bodies", () => {
    const ours = memory()
    const first = ours.lease("user:1")
    const second = ours.lease("user:1")
    expect(first.growTo(3 * MEBIBYTE)).toBeUndefined()
    expect(codeOf(second.growTo(2 * MEBIBYTE))).toBe("RATE_LIMITED")
    expect(second.growTo(MEBIBYTE)).toBeUndefined()
    expect(codeOf(first.growTo(3 * MEBIBYTE + 1))).toBe("RATE_LIMITED")
  })

  it("is limited for all principals together", () => {
    const ours = memory()
    for (const principal of ["user:1", "user:2"]) expect(ours.lease(principal).growTo(4 * MEBIBYTE)).toBeUndefined()
    expect(codeOf(ours.lease("user:3").growTo(3 * MEBIBYTE))).toBe("SERVICE_UNAVAILABLE")
    expect(ours.lease("user:3").growTo(2 * MEBIBYTE)).toBeUndefined()
  })

  it("is free again when a body is released, once", () => {
    const ours = memory()
    const lease = ours.lease("user:1")
    for (let bytes = 0; bytes <= 4 * MEBIBYTE; bytes += UNCOUNTED) expect(lease.growTo(bytes)).toBeUndefined()
    expect(ours.total).toBe(4 * MEBIBYTE)
    lease.release()
    lease.release()
    expect(ours.total).toBe(0)
    expect(ours.lease("user:1").growTo(4 * MEBIBYTE)).toBeUndefined()
  })

  it("is short for a counted body while more than half of it is in use", () => {
    const ours = memory()
    const [large, other, small] = [ours.lease("user:1"), ours.lease("user:2"), ours.lease("user:3")]
    const isShort = () => [large, other, small].map((lease) => lease.isMemoryShort())
    large.growTo(4 * MEBIBYTE)
    other.growTo(MEBIBYTE)
    small.growTo(UNCOUNTED)
    expect(isShort()).toEqual([false, false, false])
    other.growTo(MEBIBYTE + 1)
    expect(isShort()).toEqual([true, true, false])
    other.release()
    expect(isShort()).toEqual([false, false, false])
  })

  it("is not counted for a small body", () => {
    const ours = memory()
    for (let count = 0; count < 1_000; count += 1) expect(ours.lease("user:1").growTo(UNCOUNTED)).toBeUndefined()
    expect(ours.total).toBe(0)
  })
})
