/** Member search uses an index in memory. The roles of members are in `memberships.role_ids` only. */
export const noMemberRoles: ReadonlyArray<string> = [
  "DROP TRIGGER memberships_add_roles",
  "DROP TRIGGER memberships_change_roles",
  "DROP TABLE member_roles"
]
