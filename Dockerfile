# The service in one image: official Node 24, no build step, not root, writes only to DATA_DIR.
FROM node:24.21.0-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/vin/package.json packages/vin/
COPY packages/label/package.json packages/label/
COPY packages/client/package.json packages/client/
COPY vendor vendor
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# Remove the half that is never loaded: source maps, types, tests, other builds of pdfium and zxing-wasm. Not *.md: some packages have their license
# there.
WORKDIR /app/node_modules
RUN find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && rm -rf zxing-wasm/dist/cjs zxing-wasm/dist/iife zxing-wasm/dist/miniprogram zxing-wasm/dist/full \
  && rm -rf fastify/test pino/test pino/benchmarks fast-json-stringify/test find-my-way/test \
  && rm -rf zod/src @hyzyla/pdfium/dist/pdfium.wasm.base64-*

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=install /app ./
COPY bin bin
COPY src src
COPY packages packages
COPY docs docs
COPY CHANGELOG.md LICENSE THIRD-PARTY-LICENSES.md package.json ./
RUN mkdir /data && chown node:node /data
# Compiled code for a fast start. Made as the user of the service, because Node has one folder per user, but not writable for it.
RUN mkdir .compiled && chown node:node .compiled \
  && setpriv --reuid=1000 --regid=1000 --clear-groups node bin/compile.mjs \
  && chown -R root:root .compiled && chmod -R a+rX .compiled
# By number, so that Kubernetes can tell that it isn't root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# The probe is cheap, so one short interval works for startup and later (--start-interval needs Docker 25 and Podman 5).
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 CMD ["/app/bin/healthcheck.sh"]
CMD ["node", "bin/monroney.mjs", "serve"]
