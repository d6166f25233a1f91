import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { useFlowFields } from '#renderer/document/flows/use-current-flow.ts';
import { importWorkflow, updateImport } from '#renderer/document/saving/import-workflow.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import { isJsonObject } from '#shared/json.ts';
import styles from './disk-notice.module.css';
import { texts } from './texts.ts';

/** What is to be said above the canvas of a PyFlow workflow, or of a flow that was imported from one. */
export function WorkflowNotice() {
  const flow = useFlowFields('path', 'code', 'parsed', 'base_hash');
  if (!flow) return null;
  if (flow.code) return mayBeWorkflow(flow.path) ? <ReadOnlyNotice path={flow.path} /> : null;
  const value = flow.parsed.root?.value;
  if (!isJsonObject(value) || value.pyflow === undefined) return null;
  return <ChangedNotice key={flow.path} path={flow.path} version={flow.base_hash} />;
}

/** Says that the workflow of an imported flow has changed, and offers to update the flow. `version`: the flow's file, which an update changes. */
function ChangedNotice({ path, version }: { readonly path: string; readonly version: string }) {
  // The folder's description is renewed whenever a file of it changes.
  const workspace = useWorkspace((state) => state.workspace);
  const [source, setSource] = useState<string | null>(null);
  const [updating, setUpdating] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when a file or the flow has changed
  useEffect(() => {
    let left = false;
    studio.flows.importState({ path }).then(
      (state) => !left && setSource(state?.changed ? state.source : null),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [path, version, workspace]);
  if (source === null) return null;
  const update = () => {
    setUpdating(true);
    void updateImport(path, source).finally(() => setUpdating(false));
  };
  return (
    <section className={styles.notice} aria-label={texts.workflow.changedLabel}>
      <span className={styles.text}>{texts.workflow.changed(source)}</span>
      <Button size="compact-xs" loading={updating} onClick={update}>
        {texts.workflow.update}
      </Button>
    </section>
  );
}

/** Says that a PyFlow workflow is drawn read-only, and offers to import it. */
function ReadOnlyNotice({ path }: { readonly path: string }) {
  const [importing, setImporting] = useState(false);
  const start = () => {
    setImporting(true);
    void importWorkflow(path).finally(() => setImporting(false));
  };
  return (
    <section className={styles.notice} data-quiet aria-label={texts.workflow.label}>
      <span className={styles.text}>{texts.workflow.readOnly(path)}</span>
      <Button size="compact-xs" variant="default" loading={importing} onClick={start}>
        {texts.workflow.import}
      </Button>
    </section>
  );
}
