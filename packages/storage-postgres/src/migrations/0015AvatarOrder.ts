/**
 * For lists of avatars in the order of their bytes, as on other storages, with any collation of the database. The collation
 * of the column stays: to change it would make prepared statements of running servers fail.
 */
export const avatarOrder: ReadonlyArray<string> = [`CREATE INDEX avatars_by_bytes ON avatars (hash COLLATE "C")`]
