/** The text that the program prints without a command. */
export const OVERVIEW = `community-messaging: a community chat service over HTTP and JSON

Usage: community-messaging COMMAND [OPTION]...

  serve [--demo] [--import FILE]           Serve HTTP; --demo creates demo data first

  token issue bot --user ID                Issue a token for a bot account
  token issue admin --name N --acl A...    Issue a key for the administrative operations
  token list                               List tokens and keys, without their secrets
  token revoke ID                          Revoke a token or a key

  webhook create --channel ID --name N     Create a webhook for a channel
  webhook list [--guild ID|--channel ID]   List webhooks, without their tokens
  webhook show ID                          Show a webhook
  webhook rotate ID                        Replace the token of a webhook; the old one stops
  webhook delete ID                        Delete a webhook; its messages stay

  user list                                List accounts
  user show ID                             Show an account
  user cancel-deletion ID                  Cancel the scheduled deletion of an account
  guild list                               List guilds
  guild show ID                            Show a guild and its channels

  message list --channel ID                Show the messages that were posted in a channel
  message schedule ...                     Schedule a message of an account
  message scheduled --author ID            List the messages that an account scheduled
  message edit ID --author ID ...          Edit a scheduled message, also a failed one
  message cancel ID --author ID            Cancel a scheduled message

  events tail [--after N | --from now]     Print events as they happen
  audit list [--after N] [--limit N]       Print what administrators did

  import FILE [--strict]                   Import everything from a file of JSON lines; - is standard input
  export FILE [--force]                    Export everything to a file of JSON lines; - is standard output
  backup FILE [--force]                    Back the database up, also while a server uses it
  restore FILE                             Replace the database with a backup
  migrate                                  Create or update the tables without a start
  config                                   Show the settings, and where each comes from
  doctor                                   Check settings, data folder, database and machine

  COMMAND --help        Help on a command. Every setting is a flag and an environment variable.
  --version             The version of the program
  --completions SHELL   A completion script for bash, fish or zsh
  --log-level LEVEL     Minimum level of log messages: all, trace, debug, info, warning, error, fatal, none

Options may be anywhere. Most commands print JSON with --json.
The data is in the folder of DATA_DIR or --data-dir (default: .data), or with STORAGE=postgres in DATABASE_URL.`
