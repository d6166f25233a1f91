import { useEffect, useMemo, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { readText } from '#renderer/document/reading/read-text.ts';
import { noticeFailure } from '#renderer/shell/notices.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';
import type { ParsedFlow } from '#shared/flow/parse-flow.ts';
import { texts } from './texts.ts';

const noFiles: readonly { readonly path: string }[] = [];

/** The flows to search: the current one or, with `all`, every document of the folder, as open here or on disk. The current flow comes first. */
export function useSearchedFlows(all: boolean): readonly ParsedFlow[] {
  const current = useEditor((state) => state.current);
  const open = useEditor((state) => state.flows);
  const files = useWorkspace((state) => state.workspace?.flows ?? noFiles);
  const [read, setRead] = useState<ReadonlyMap<string, ParsedFlow>>(new Map());

  useEffect(() => {
    if (!all) return;
    let wanted = true;
    const others = files.filter(({ path }) => !isReadOnlyFlow(path));
    Promise.all(
      others.map(async ({ path }) => {
        const { text, draft } = await studio.flows.read({ path });
        return [path, await readText(draft?.text ?? text, path)] as const;
      }),
    ).then(
      (entries) => wanted && setRead(new Map(entries)),
      (thrown: unknown) => noticeFailure(texts.failed, thrown),
    );
    return () => {
      wanted = false;
    };
  }, [all, files]);

  return useMemo(() => {
    const shown = current === null ? undefined : open[current]?.parsed;
    if (!all) return shown ? [shown] : [];
    const others = [...read.values()].filter(({ path }) => path !== current).map((flow) => open[flow.path]?.parsed ?? flow);
    return shown ? [shown, ...others] : others;
  }, [all, current, open, read]);
}
