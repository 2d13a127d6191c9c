# One image for every process; the command selects the process: `docker run IMAGE dist/query-api/main.js`. The default is the service in one process.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The workspace that `npm ci` links: the weights of the bundled encoder.
COPY deploy/encoder ./deploy/encoder
# Without scripts: `prepare` would build, and the sources are not copied yet.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf dist/test
# The native runtime carries all platforms; the image keeps its own.
RUN cd node_modules/onnxruntime-node/bin && find . -mindepth 3 -maxdepth 3 ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} +

FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title=palimpsest \
  org.opencontainers.image.description="A memory service for AI agents in which every change is an event." \
  org.opencontainers.image.licenses=Apache-2.0
# A container is reached from outside, so a process with the API starts only with SERVICE_API_TOKEN or ALLOW_ANONYMOUS=true.
ENV NODE_ENV=production PALIMPSEST_DATA_DIR=/data LISTEN_HOST=*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/deploy/encoder ./deploy/encoder
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown 1000:1000 /data && chmod +x dist/deploy/commands/main.js && ln -s /app/dist/deploy/commands/main.js /usr/local/bin/palimpsest
# The number of `node`, because Kubernetes cannot check a name. The root file system may be read-only: only /data is written.
USER 1000:1000
EXPOSE 8001
HEALTHCHECK --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8001}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/deploy/embedded/main.js"]
