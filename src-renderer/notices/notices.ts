import { notifications } from '@mantine/notifications';
import { failureOf } from '#renderer/api/failure.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** Tells of something that went well, for a few seconds. */
export function noticeDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, withBorder: true });
}

/** Tells of something that the user should know, and stays until it is closed. */
export function noticeProblem(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', autoClose: 12_000, withBorder: true });
  announce(`${title}. ${message}`);
}

/** Tells what a failed call was to do and what its error says about it. */
export function noticeFailure(title: string, thrown: unknown): void {
  noticeProblem(title, thrown instanceof FlowError ? thrown.message : failureOf(thrown).message);
}
