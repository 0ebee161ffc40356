# One image for every role (WAYSTATION_ROLE). It has no database: set DATABASE_URL. See docs/deploying.md, which also
# says how to renew the digests.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1

# Installed before the sources come, so that a change of theirs installs nothing again.
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci

COPY . .
RUN NODE_ENV=production node node_modules/next/dist/bin/next build && rm -rf .next/cache .next/dev

# Removes what only building, testing and trying out need. The image brings its own Node and no Postgres. It has neither
# clients nor sample services, so it needs no links to them.
RUN npm prune --omit=dev \
  && cd node_modules \
  && rm -rf .bin/waystation @waystation/cli @waystation/client @waystation/react @waystation/sample-acme @waystation/server @embedded-postgres node-linux-*

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 WAYSTATION_DATA_DIR=/data
RUN install -d -o node -g node /data

# Returns freed memory to the system, which glibc's allocator often keeps (docs/bench.md, "Memory").
RUN apt-get update \
  && apt-get install -y --no-install-recommends libjemalloc2=5.3.0-1 \
  && rm -rf /var/lib/apt/lists/*
ENV LD_PRELOAD=libjemalloc.so.2

# Everything belongs to root: the process that serves cannot change what it runs.
COPY --from=build /app/package.json /app/next.config.mjs /app/server.ts /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/.next .next
COPY --from=build /app/public public
COPY --from=build /app/components components
COPY --from=build /app/lib lib
COPY --from=build /app/packages/base packages/base
COPY --from=build /app/packages/demo-model packages/demo-model
COPY --from=build /app/packages/egress packages/egress
COPY --from=build /app/packages/hcl packages/hcl
COPY --from=build /app/packages/json-schemas packages/json-schemas
COPY --from=build /app/packages/mcp-client packages/mcp-client
COPY --from=build /app/packages/plugin-host packages/plugin-host
COPY --from=build /app/packages/protocol packages/protocol
COPY --from=build /app/packages/sandbox packages/sandbox
COPY --from=build /app/packages/text-stream packages/text-stream
COPY --from=build /app/packages/text-tools packages/text-tools
COPY --from=build /app/packages/tiddlywiki packages/tiddlywiki
COPY --from=build /app/packages/tools packages/tools
COPY --from=build /app/proto proto
COPY --from=build /app/db db
COPY --from=build /app/scripts scripts

USER node
EXPOSE 3000
# Healthy means: the database answers, and some worker runs turns. A stop takes up to ten seconds.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "server.ts"]
