import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBraces, IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { CodeEditor } from '#renderer/code/code-editor.tsx';
import type { OpenFlow } from '#renderer/editing/open-flow.ts';
import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import type { CodeFlowContent } from '#shared/contract/flows.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import styles from './code-flow-view.module.css';
import inspector from './inspector.module.css';

/** A flow in code as a whole: where it is, its schemas, its source. All of it is changed in an editor. */
export function CodeFlowView({ flow, code }: { flow: OpenFlow; code: CodeFlowContent }) {
  const { readable } = flow;
  return (
    <>
      <OpenInEditor path={flow.path} code={code} />
      {readable && <States states={Object.keys(readable.schemas)} flow={readable} />}
      <div className={inspector.fill}>
        <CodeEditor id={`source ${flow.path}`} label={`Source of ${flow.path}`} language="typescript" value={code.source} readOnly fill />
      </div>
    </>
  );
}

interface CodeNodeProps {
  readonly node: OutlineNode;
  readonly path: string;
  readonly flow: ReadableFlow;
  readonly code: CodeFlowContent;
}

/** A node of a flow in code: its states with their schemas, its handler. */
export function CodeNodeView({ node, path, flow, code }: CodeNodeProps) {
  const handler = typeof node.raw.run === 'string' ? node.raw.run : null;
  const tools = ((node.raw.tools ?? []) as readonly ToolUse[]).map((use) => toolUse(use).name);
  return (
    <>
      <OpenInEditor path={path} code={code} handler={handler} />
      {typeof node.raw.note === 'string' && <p className={inspector.hint}>{node.raw.note}</p>}
      {node.kind === 'each' && (
        <p className={inspector.hint}>
          Runs the flow “{String(node.raw.flow)}” once for each item of <code>{node.from[0]}</code>, in order.
        </p>
      )}
      {node.kind === 'suspend' && (
        <p className={inspector.hint}>
          The run waits here until somebody answers with <code>{node.to[0]}</code>.
        </p>
      )}
      <States states={[...node.from, ...node.to]} flow={flow} />
      {handler !== null && (
        <div className={inspector.section}>
          <h3>Handler</h3>
          <CodeEditor id={`handler ${node.path}`} label={`Handler of ${node.id}`} language="typescript" value={handler} readOnly />
          {tools.length > 0 && <p className={inspector.hint}>It may call {tools.join(', ')}.</p>}
        </div>
      )}
      {node.raw.agent !== undefined && (
        <div className={inspector.section}>
          <h3>Agent</h3>
          <CodeEditor
            id={`agent ${node.path}`}
            label={`Agent of ${node.id}`}
            language="json"
            value={JSON.stringify(node.raw.agent, null, 2)}
            readOnly
          />
        </div>
      )}
    </>
  );
}

interface OpenInEditorProps {
  readonly path: string;
  readonly code: CodeFlowContent;
  readonly handler?: string | null;
}

function OpenInEditor({ path, code, handler = null }: OpenInEditorProps) {
  const [copied, setCopied] = useState(false);
  const line = handler === null ? null : lineOf(code.source, handler);
  const suffix = line === null ? '' : `:${line}`;
  const place = `${code.file}${suffix}`;
  return (
    <div className={styles.place}>
      <span className={inspector.hint}>A flow in code. Change it in your editor; the studio follows.</span>
      <div className={styles.file}>
        <code title={place}>
          {path}
          {suffix}
        </code>
        <Tooltip label="Copy the path, to open it in an editor">
          <ActionIcon
            aria-label="Copy the path of the file"
            onClick={() =>
              navigator.clipboard.writeText(place).then(
                () => setCopied(true),
                (thrown: unknown) => noticeProblem('The path was not copied', String(thrown)),
              )
            }
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
}

/** The states by name; one at a time shows its schema. */
function States({ states, flow }: { states: readonly string[]; flow: ReadableFlow }) {
  const [shown, setShown] = useState<string | null>(null);
  const names = [...new Set(states)];
  return (
    <div className={inspector.section}>
      <h3>States</h3>
      <ul className={inspector.list}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.state}
              aria-expanded={shown === name}
              onClick={() => setShown(shown === name ? null : name)}
            >
              <IconBraces size={14} aria-hidden="true" />
              <span>{name}</span>
              {name === flow.input && <span className={styles.aside}>begins</span>}
              {name === flow.output && <span className={styles.aside}>ends</span>}
            </button>
            {shown === name && (
              <CodeEditor
                id={`schema ${name}`}
                label={`Schema of ${name}`}
                language="json"
                value={JSON.stringify(flow.schemas[name] ?? true, null, 2)}
                readOnly
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The line on which a handler begins. Types are stripped from what the engine knows, so only its first words are looked for. */
function lineOf(source: string, handler: string): number | null {
  const first = handler.split('\n')[0] ?? '';
  const at = first.length < 8 ? -1 : source.indexOf(source.includes(handler) ? handler : first);
  return at < 0 ? null : source.slice(0, at).split('\n').length;
}
