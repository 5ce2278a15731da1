/** Commands of the pages that no test runs, with the reason and the tests in their place. */
export const NOT_RUN: ReadonlyArray<{ readonly because: string; readonly commands: ReadonlyArray<string> }> = [
  {
    because:
      "It installs, compiles or tests the whole repository, like the run of this test. test/Documents finds its script.",
    commands: [
      "npm start",
      "npm start -- --port 9000",
      "npm test",
      "npm test -- --all",
      "npm test -- apps/server/test/program",
      "npm run check",
      "npm run build",
      "npm ci && npm run build",
      "npm run test:night",
      "npx vitest --project domain",
      "npx vitest",
      "PROPERTY_SEED=1790000000 PROPERTY_RUNS=500 npx vitest run --project domain"
    ]
  },
  {
    because:
      "It takes minutes to hours. test/Documents finds its script, and no test runs it: try it after changing it.",
    commands: ["npm run test:mutation -- domain", "npm run test:container", "npm run docs:api"]
  },
  {
    because: "It measures for minutes, on a machine without other work. test/bench tests its statistics and reports.",
    commands: [
      "npm run bench",
      "npm run bench -- --only http",
      "npm run bench -- --only forwarding",
      "npm run bench -- --only postgres",
      "npm run bench -- --only postgres-search",
      "npm run bench -- --only search",
      "npm run bench -- --quick --only http"
    ]
  },
  {
    because: "It takes minutes. attack/test runs the short form of the attacks, and soak of the soak test.",
    commands: [
      "npm run test:soak",
      "npm run test:attack",
      "npm run test:attack -- --only bodies --seconds 30",
      "npm run test:attack -- --only fuzz,races --seed 1790000000"
    ]
  },
  {
    because: "It starts PostgreSQL and servers until it is stopped. cluster/test does that, and prints its help.",
    commands: ["npm run cluster", "npm run cluster -- --help"]
  },
  {
    because:
      "It needs an existing database. postgres/PostgresCommands and transfer/RoundTrip run similar ones on their own.",
    commands: [
      "export STORAGE=postgres DATABASE_URL='postgres://chat:PASSWORD@db.example/chat?sslmode=verify-full'",
      "community-messaging export community.ndjson --storage sqlite --data-dir /var/lib/community-messaging"
    ]
  },
  {
    because:
      "It changes the repository. Tests fail while its result would differ (format, generate), or release/test runs its parts.",
    commands: [
      "npm run format",
      "npm run generate -w packages/client",
      "npm run changeset",
      "npm run release:version",
      "npm run release:pack",
      "npm publish"
    ]
  },
  {
    because:
      "It downloads packages for minutes. release/test installs the same tarballs, with all examples, on its own.",
    commands: [
      "npm install @community-messaging/NAME",
      "npm install ../community-messaging/release/packed/*.tgz effect@3",
      "npm install --no-save ../../release/packed/*.tgz"
    ]
  },
  {
    because: "It changes the machine. test/Deploy checks the unit and the files for containers with their tools.",
    commands: [
      "useradd --system community-messaging",
      "systemctl enable --now community-messaging",
      "systemd-run --pipe --quiet --uid=community-messaging -p EnvironmentFile=-/etc/community-messaging.env "
      + "-E DATA_DIR=/var/lib/community-messaging -E SQLITE_TMPDIR=/var/lib/community-messaging "
      + "node /opt/community-messaging/apps/server/dist/main.js token list",
      "docker compose -f deploy/compose.yaml up",
      "DOMAIN=chat.example docker compose -f deploy/compose.yaml -f deploy/compose.tls.yaml up",
      "docker compose -f deploy/compose.yaml exec server node apps/server/dist/main.js doctor",
      "docker compose -f deploy/compose.yaml run --rm server restore /data/community.sqlite",
      "apt-get install chromium redis-server caddy docker-compose"
    ]
  }
]
