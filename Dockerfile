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
# A container is reached from outside, so a process with the API starts only with SERVICE_API_TOKEN or ALLOW_ANONYMOUS=true.
ENV NODE_ENV=production PALIMPSEST_DATA_DIR=/data LISTEN_HOST=*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/deploy/encoder ./deploy/encoder
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 8001
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/deploy/embedded/main.js"]
