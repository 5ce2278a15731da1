/** Members are searched by an index in memory: who holds which role is in `memberships.role_ids` alone. */
export const noMemberRoles: ReadonlyArray<string> = [
  "DROP TRIGGER memberships_add_roles",
  "DROP TRIGGER memberships_change_roles",
  "DROP TABLE member_roles"
]
