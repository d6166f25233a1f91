import { Tooltip } from '@mantine/core';
import {
  type Icon,
  IconArrowBackUp,
  IconArrowBarToDown,
  IconArrowBarUp,
  IconArrowForwardUp,
  IconGitBranch,
  IconMessageReply,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { BreakpointDot } from '#renderer/runs/breakpoints/breakpoint-dot.tsx';
import { useStopText } from '#renderer/runs/breakpoints/use-breakpoints.ts';
import { hasEnded } from '#renderer/runs/model/run-fold.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { continueWithEditedFlow } from '#renderer/runs/time-travel/continue-edited.ts';
import { texts as travelTexts } from '#renderer/runs/time-travel/texts.ts';
import { isShortcut, shortcutText } from '#renderer/shell/shortcut.ts';
import { KeyHint } from '#renderer/ui/controls/key-hint.tsx';
import { giveRunCommand } from './give-run-command.ts';
import styles from './run-bar.module.css';
import { actionOf, commandedRun, type RunCommand, runCommands, runShortcuts } from './run-commands.ts';
import { texts } from './texts.ts';
import { useEditedFlow } from './use-failure-actions.ts';
import { useRuns } from './use-runs.ts';

const mac = navigator.platform.startsWith('Mac');

interface RunButtonProps {
  readonly command: RunCommand;
  readonly label: string;
  readonly icon: Icon;
  /** What it does, for the tooltip. */
  readonly hint: string;
  readonly available: boolean;
  readonly primary?: boolean;
  /** Whether the button shows its key; the tooltip always does. */
  readonly showKey?: boolean;
}

function RunButton({ command, label, icon: Sign, hint, available, primary, showKey }: RunButtonProps) {
  const keys = shortcutText(runShortcuts[command], mac);
  return (
    <Tooltip label={texts.runBar.hintWithKeys(hint, keys)}>
      <button
        type="button"
        className={primary ? `${styles.button} ${styles.primary}` : styles.button}
        // Not `disabled`: the button would lose the focus while a step runs.
        aria-disabled={!available}
        aria-keyshortcuts={runShortcuts[command].replace('Ctrl', 'Control')}
        onClick={() => giveRunCommand(command)}
      >
        <Sign size={16} stroke={1.75} aria-hidden="true" />
        <span>{label}</span>
        {showKey && <KeyHint keys={keys} />}
      </button>
    </Tooltip>
  );
}

/** The debugger's keys work everywhere, also in text fields, as they type nothing. Only Ctrl+Enter belongs to the editors. */
function useRunShortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
      const command = runCommands.find((name) => isShortcut(event, runShortcuts[name], mac));
      if (!command) return;
      if (command === 'run' && event.target instanceof Element && event.target.closest('form, textarea, .monaco-editor')) return;
      event.preventDefault();
      if (!event.repeat || command === 'over' || command === 'into' || command === 'back') giveRunCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Why a breakpoint stopped the run. */
function StopReason() {
  const text = useStopText();
  if (text === null) return null;
  return (
    <span className={styles.reason} data-stop-reason title={text}>
      <BreakpointDot look={{ shape: 'dot', state: 'on', conditional: false }} />
      <span>{text}</span>
    </span>
  );
}

/** The debugger's toolbar. */
export function RunBar() {
  useRuns();
  useRunShortcuts();
  const session = useRunSession((state) => state);
  // Only the shown flow's path matters: the bar does not render again with every key.
  useStore(runSubjectStore, (state) => state.flow?.path);
  const { flow } = runSubjectStore.getState();
  const can = (command: RunCommand) => actionOf(command, session, flow) !== null;
  const run = commandedRun(session, flow);
  const past = run !== null && session.selected !== null;
  const fresh = !past && (!run || hasEnded(run.status) || run.read_only);
  const waits = !past && !fresh && run.status === 'suspended';
  const edited = useEditedFlow(past ? null : run);
  // After a failure, the error has the button.
  const offersEdited = edited && run?.status !== 'error';
  return (
    <div className={styles.bar} role="toolbar" aria-label={texts.runBar.label}>
      {can('pause') ? (
        <RunButton
          command="pause"
          label={texts.runBar.pause}
          icon={IconPlayerPause}
          hint={texts.runBar.pauseHint}
          available
          primary
          showKey
        />
      ) : past ? (
        <RunButton
          command="continue"
          label={texts.runBar.latest}
          icon={IconPlayerSkipForward}
          hint={texts.runBar.latestHint}
          available
          primary
          showKey
        />
      ) : waits ? (
        <RunButton
          command="continue"
          label={texts.runBar.answer}
          icon={IconMessageReply}
          hint={texts.runBar.answerHint}
          available={can('continue')}
          showKey
        />
      ) : (
        <RunButton
          command="continue"
          label={fresh ? texts.runBar.run : texts.runBar.continue}
          icon={IconPlayerPlay}
          hint={fresh ? texts.runBar.runHint : texts.runBar.continueHint}
          available={can('continue')}
          primary={!edited}
          showKey
        />
      )}
      <RunButton
        command="over"
        label={texts.runBar.over}
        icon={IconArrowForwardUp}
        hint={past ? texts.runBar.nextStepHint : fresh ? texts.runBar.startHint : texts.runBar.overHint}
        available={can('over')}
        showKey
      />
      <RunButton
        command="into"
        label={texts.runBar.into}
        icon={IconArrowBarToDown}
        hint={past ? texts.runBar.nextStepHint : texts.runBar.intoHint}
        available={can('into')}
        showKey
      />
      <RunButton command="out" label={texts.runBar.out} icon={IconArrowBarUp} hint={texts.runBar.outHint} available={can('out')} />
      <RunButton command="back" label={texts.runBar.back} icon={IconArrowBackUp} hint={texts.runBar.backHint} available={can('back')} />
      <RunButton command="stop" label={texts.runBar.stop} icon={IconPlayerStop} hint={texts.runBar.stopHint} available={can('stop')} />
      {offersEdited && <EditedButton />}
      <StopReason />
    </div>
  );
}

/** Continues with the edited flow. */
function EditedButton() {
  const { label, hint } = travelTexts.continueEdited;
  return (
    <Tooltip label={`${label}: ${hint}`}>
      <button type="button" className={`${styles.button} ${styles.primary}`} onClick={() => void continueWithEditedFlow()}>
        <IconGitBranch size={16} stroke={1.75} aria-hidden="true" />
        <span className={styles.longLabel}>{label}</span>
      </button>
    </Tooltip>
  );
}
