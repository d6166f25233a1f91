import { Input, SegmentedControl, Select } from '@mantine/core';
import { withInnerFlow } from '#renderer/document/editing/inner-flow.ts';
import { switchNesting } from '#renderer/document/editing/switch-nesting.ts';
import { carryOut, currentFlow, takeInnerPorts } from '#renderer/document/flows/editor.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { flowPathFrom } from '#renderer/document/graph/flow-path.ts';
import { readInnerFlow } from '#renderer/editor/actions/add-from-library.ts';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import { canBeNested } from '#shared/flow/flow-file.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/** The flow that a node runs, once or for each item of a list. */
export function NestedFlowFields({ node }: { node: OutlineNode }) {
  const flows = useWorkspace((state) => state.workspace?.flows ?? null);
  const current = useEditor((state) => state.current);
  const value = String(node.raw.flow ?? '');
  const trusted = useWorkspace((state) => state.workspace?.trusted ?? false);
  const offered = (flows ?? [])
    .filter(({ path }) => path !== current && canBeNested(path, trusted))
    .map((flow) => flowPathFrom(current, flow.path));
  return (
    <>
      <Select
        className={styles.code ?? ''}
        label={texts.nested.flow}
        data={[...new Set([value, ...offered])].filter((path) => path !== '')}
        value={value}
        searchable
        onChange={(path) => path !== null && setField(['nodes', node.index, 'flow'], path, texts.nested.chooseFlow)}
      />
      <Input.Wrapper label={texts.nested.runs} labelElement="div">
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={texts.nested.runs}
          data={[
            { value: 'flow', label: texts.nested.once },
            { value: 'each', label: texts.nested.forEachItem },
          ]}
          value={node.kind}
          onChange={(kind) => kind !== node.kind && void switchShown(node.index, value)}
        />
      </Input.Wrapper>
    </>
  );
}

/** Turns a `flow` node of the current flow into an `each` node, or back. */
async function switchShown(index: number, file: string): Promise<void> {
  const path = currentFlow()?.path;
  if (path === undefined) return;
  const inner = await readInnerFlow(path, file);
  const flow = currentFlow();
  if (flow?.path !== path || !flow.readable) return;
  if (inner) takeInnerPorts(path, withInnerFlow(flow.inner, file, inner));
  carryOut(switchNesting(currentFlow()?.readable ?? flow.readable, index, inner));
}
