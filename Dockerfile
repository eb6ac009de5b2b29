# The product for production: compiled web app, production packages, not root, no write access outside /data and /tmp.
FROM node:26.10.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:26.10.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:26.10.0-slim
ENV NODE_ENV=production LISTEN_HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package.json /app/manifest.webmanifest /app/LICENSE ./
COPY --from=build /app/dist/web dist/web
COPY --from=build /app/dist/prerender dist/prerender
COPY --from=build /app/dist/database dist/database
COPY --from=build /app/src/contract src/contract
COPY --from=build /app/src/domain src/domain
COPY --from=build /app/src/messages src/messages
COPY --from=build /app/src/sentences src/sentences
COPY --from=build /app/src/server src/server
COPY --from=build /app/src/sandbox src/sandbox
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/main.js"]
