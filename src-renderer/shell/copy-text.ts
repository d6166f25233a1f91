import { announce } from './announcer.ts';
import { noticeProblem } from './notices.ts';
import { texts } from './texts.ts';

/** Copies text to the clipboard, and announces `done` or why it could not. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(done);
  } catch (thrown) {
    noticeProblem(texts.notCopied, String(thrown));
  }
}
