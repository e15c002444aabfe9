import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** A file for the first script, one for all that the library shows, one for the charts, one for what other views share, and one for each view. */
const groups = [
  { name: 'index', test: /renderer[\\/]main\.tsx$/, priority: 4 },
  { name: 'app', test: /renderer[\\/](app[\\/]App|views[\\/]library[\\/]index)\.tsx$/, priority: 3 },
  { name: 'charts', test: /renderer[\\/]charts[\\/]Chart\.tsx$/, priority: 2 },
  { name: 'shared', test: /\.(tsx?|m?js|css)$/, minShareCount: 2, priority: 1 },
];

const link = (rel: string, file: string) => ({
  tag: 'link',
  attrs: { rel, crossorigin: true, href: `/${file}` },
  injectTo: 'head' as const,
});

/** The app is fetched beside the first script, not only when that has run. */
const fetchAppAtOnce: Plugin = {
  name: 'fetch-app-at-once',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle).flatMap((file) => {
        if (file.type !== 'chunk' || file.name !== 'app') return [];
        const styles = [...(file.viteMetadata?.importedCss ?? [])];
        return [
          ...[file.fileName, ...file.imports].map((script) => link('modulepreload', script)),
          ...styles.map((sheet) => link('stylesheet', sheet)),
        ];
      }),
  },
};

/**
 * Schemas that the page never reads are not made: each is a call, which a bundler keeps unless it is marked as pure.
 * The engine checks everything that arrives there, so the page needs few of them.
 */
const dropUnusedSchemas: Plugin = {
  name: 'drop-unused-schemas',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /[\\/]src[\\/]shared[\\/].*\.ts$/, code: /from ["']zod["']/ },
    handler(code) {
      const declared = this.parse(code).body.flatMap((node) =>
        node.type === 'ExportNamedDeclaration' ? node.declaration : node,
      );
      const calls = declared.flatMap((node) =>
        node?.type === 'VariableDeclaration'
          ? node.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []))
          : [],
      );
      return calls.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
        code,
      );
    },
  },
};

export default defineConfig({
  root: 'src/renderer',
  // Views have paths of their own, so assets are addressed from the root: kneepoint://app/ or http://127.0.0.1:PORT/.
  base: '/',
  plugins: [react(), dropUnusedSchemas, fetchAppAtOnce],
  build: {
    outDir: '../../dist/renderer',
    emptyOutDir: true,
    target: 'chrome108',
    cssTarget: 'chrome108',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2500,
    // Fonts and pictures as files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Our modules do nothing when they are only imported, so who wants a small thing of a room does not load all of it.
      treeshake: {
        moduleSideEffects: [{ test: /[\\/]src[\\/](renderer|shared)[\\/].*\.tsx?$/, sideEffects: false }],
      },
      output: { codeSplitting: { groups } },
    },
  },
});
