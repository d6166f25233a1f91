// A studio's process that edits a flow without pause: `node editing-process.ts FOLDER PATH WORD FIRST`. Prints the number of each edit, from
// FIRST on, once it is stored, and may be killed at any moment.
import { createInterface } from 'node:readline';
import { FlowDocuments } from '#main/services/flows/flow-documents.ts';

const [folder = '', path = '', word = '', first = '1'] = process.argv.slice(2);
const documents = new FlowDocuments(folder, () => undefined);
const document = documents.at(path);
const line = new RegExp(`${word} \\d+`);

// Starts editing on the test's signal and stops when the test has gone.
createInterface({ input: process.stdin })
  .once('line', () => void edit())
  .once('close', () => process.exit());

async function edit(): Promise<void> {
  for (let number = Number(first); ; number += 1) {
    const { draft, text, revision } = await document.read();
    const edited = (draft?.text ?? text).replace(line, `${word} ${number}`);
    const answer = await document.edit({ window: word, revision, text: edited, layout: null });
    process.stdout.write(`${answer.status === 'refused' ? 'refused ' : ''}${number}\n`);
  }
}
