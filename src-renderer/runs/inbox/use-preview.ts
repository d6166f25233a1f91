import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { FileChange } from '#renderer/ui/values/file-difference.tsx';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';

/** The change that an approval would make on disk. */
interface FilePreview extends FileChange {
  readonly before_hash: string | null;
}

interface Preview {
  /** Null when the tool writes no file. */
  readonly file: FilePreview | null;
  readonly failure: TransferableError | null;
  /** The previewed input as text; null before the first. */
  readonly input: string | null;
  /** How often the file on disk has changed since it was first shown. */
  readonly changes: number;
}

const typingPause = 250;

/** Previews what an input would change. Reloads when the input is edited, when files of the folder change, and when the window gets the focus. */
export function usePreview(run_id: string, tool_call_id: string, input: Json): Preview & { readonly current: boolean } {
  const [preview, setPreview] = useState<Preview>({ file: null, failure: null, input: null, changes: 0 });
  const [looks, setLooks] = useState(0);
  const workspace = useWorkspace((state) => state.workspace);
  // By content: the same question may arrive as another object.
  const inputText = JSON.stringify(input);

  useEffect(() => {
    const look = () => setLooks((count) => count + 1);
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed folder and a new look are reasons to read again
  useEffect(() => {
    let mine = true;
    const read = () =>
      studio.runs.preview({ run_id, tool_call_id, input }).then(
        (file) => {
          if (!mine) return;
          setPreview(({ file: former, changes }) => {
            const another = former !== null && file !== null && former.path === file.path && former.before_hash !== file.before_hash;
            return { file, failure: null, input: inputText, changes: another ? changes + 1 : changes };
          });
        },
        (thrown) => mine && setPreview(({ changes }) => ({ file: null, failure: failureOf(thrown), input: inputText, changes })),
      );
    const timer = setTimeout(read, preview.input === null ? 0 : typingPause);
    return () => {
      mine = false;
      clearTimeout(timer);
    };
  }, [run_id, tool_call_id, inputText, looks, workspace]);

  return { ...preview, current: preview.input === inputText };
}
