/**
 * For the `make` of a schema: the value's parts were checked when they came in, or are right by the way they are made, so
 * that they need not be checked again. For a message that is as much work as all the rest of posting it.
 */
export const PARTS_CHECKED = { disableValidation: true } as const
