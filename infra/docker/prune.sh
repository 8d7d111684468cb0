#!/bin/sh
# Takes out of a node_modules what a running service never opens: native builds for other machines, what compiles
# them, what bundles workflows (dist/ has the bundle), and what is for editors and debuggers alone.
set -eu
cd "$1"

bridge=@temporalio/core-bridge
case "$(uname -m)" in
  x86_64) target=x86_64-unknown-linux-gnu ;;
  aarch64 | arm64) target=aarch64-unknown-linux-gnu ;;
  *) echo "no native builds for $(uname -m)" >&2 && exit 1 ;;
esac
test -d "$bridge/releases/$target"
for build in "$bridge"/releases/*; do
  test "${build##*/}" = "$target" || rm -r "$build"
done
rm -r "$bridge/sdk-core" "$bridge/src" "$bridge/ts"

abi=$(node -p process.versions.modules)
find @lmdb @msgpackr-extract -name '*.node' ! -name "node.abi$abi.glibc.node" ! -name node.napi.glibc.node -delete
rm -rf @swc/core-*
# onnxruntime brings the libraries of every system.
case "$target" in x86_64*) runtime=linux/x64 ;; *) runtime=linux/arm64 ;; esac
test -d "onnxruntime-node/bin/napi-v6/$runtime"
find onnxruntime-node/bin/napi-v6 -mindepth 2 -maxdepth 2 -type d ! -path "*/$runtime" -exec rm -r {} +
# Of the page that shows the document of all calls two files are served.
find swagger-ui-dist -type f -name '*.js' ! -name swagger-ui-bundle.js -delete
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
