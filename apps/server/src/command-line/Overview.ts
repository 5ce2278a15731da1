/** What the program says of itself when it is asked for no command. */
export const OVERVIEW = `community-messaging: a community chat service over HTTP and JSON

Usage: community-messaging COMMAND [OPTION]...

  serve [--demo] [--import FILE]           Serve HTTP; with --demo over a community made up for trying things out
  token issue bot --user ID                Issue a token with which a bot account calls the service
  token issue admin --name N --acl A...    Issue a key for the administrative operations
  token list                               List tokens and keys, without their secrets
  token revoke ID                          Revoke a token or a key
  webhook create --channel ID --name N     Make a webhook for a channel
  user cancel-deletion ID                  Take the scheduled deletion of an account back
  message schedule|cancel|list             Look after the scheduled messages of an account
  events tail [--after N]                  Print events as they happen
  audit list [--after N] [--limit N]       Print what administrators did
  import FILE [--strict]                   Import everything from a file of JSON lines
  export FILE                              Export everything to such a file

  COMMAND --help        What a command takes; every setting is a flag and an environment variable
  --version             The version of the program
  --completions SHELL   A completion script for bash, fish or zsh
  --log-level LEVEL     Least weight of what is logged: trace, debug, info, warning, error, fatal, none

Data lies in the folder that DATA_DIR or --data-dir names (.data).`
