/** The text that the program prints without a command. */
export const OVERVIEW = `community-messaging: a community chat service over HTTP and JSON

Usage: community-messaging COMMAND [OPTION]...

  serve [--demo] [--import FILE]           Serve HTTP; --demo creates demo data first
  token issue bot --user ID                Issue a token for a bot account
  token issue admin --name N --acl A...    Issue a key for the administrative operations
  token list                               List tokens and keys, without their secrets
  token revoke ID                          Revoke a token or a key
  webhook create --channel ID --name N     Create a webhook for a channel
  user cancel-deletion ID                  Cancel the scheduled deletion of an account
  message schedule|cancel|list             Schedule, cancel or list messages of an account
  events tail [--after N]                  Print events as they happen
  audit list [--after N] [--limit N]       Print what administrators did
  import FILE [--strict]                   Import everything from a file of JSON lines; - is standard input
  export FILE [--force]                    Export everything to a file of JSON lines; - is standard output
  backup FILE [--force]                    Back the database up, also while a server uses it
  restore FILE                             Replace the database by a backup

  COMMAND --help        Help on a command. Every setting is a flag and an environment variable.
  --version             The version of the program
  --completions SHELL   A completion script for bash, fish or zsh
  --log-level LEVEL     Minimum level of log messages: trace, debug, info, warning, error, fatal, none

The data is in the folder of DATA_DIR or --data-dir (default: .data).`
