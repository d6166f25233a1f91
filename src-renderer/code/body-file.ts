/** Whether a model of the editor is a body: one function expression, that has its types in a declaration file of its own. */
export function isBody(uri: string): boolean {
  return uri.startsWith('inmemory://studio/body%20');
}

/** Where the declarations of a model are found. */
export function declarationsOf(uri: string): string {
  return uri.replace('inmemory://studio/', typesFolder).replace(/\.ts$/, '.d.ts');
}

const typesFolder = 'inmemory://studio/types/';

/** Whether a file holds the declarations of a body: the compiler reads them with the body, not by themselves. */
export function isDeclarations(uri: string): boolean {
  return uri.startsWith(typesFolder);
}

/** What stands before a body for the compiler, so that its function is one of the declared type `Body`; a module, whose names are its own. */
export function beforeBody(declarations: string): string {
  return `export {};\n${declarations}\nconst body: Body = `;
}

/** What stands after a body. */
export const afterBody = '\n;';
