/**
 * An option for the `make` of a schema: skips validation, for values whose parts are already validated or are valid by
 * construction. Validating a message again would cost as much as all other work of posting it.
 */
export const WITHOUT_VALIDATION = { disableValidation: true } as const
