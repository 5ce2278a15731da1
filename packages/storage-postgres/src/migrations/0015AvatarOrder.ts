/**
 * Hashes of avatars are ordered by their bytes, as on other storages, so that an export has the same order with any collation
 * of the database. The key is built again.
 */
export const avatarOrder: ReadonlyArray<string> = [`ALTER TABLE avatars ALTER COLUMN hash TYPE text COLLATE "C"`]
