import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'src/renderer',
  // Views have paths of their own, so assets are addressed from the root: kneepoint://app/ or http://127.0.0.1:PORT/.
  base: '/',
  plugins: [react()],
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
  },
});
