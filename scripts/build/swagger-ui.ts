import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** The files that the page of the server's API needs; its package has six times as many bytes. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Copies Swagger UI to `out/swagger-ui`, from where the server serves it. */
export function swaggerUi(root: string): Plugin {
  return {
    name: 'swagger-ui',
    generateBundle() {
      for (const name of files) {
        const source = readFileSync(resolve(root, 'node_modules/swagger-ui-dist', name));
        this.emitFile({ type: 'asset', fileName: `swagger-ui/${name}`, source });
      }
    },
  };
}
