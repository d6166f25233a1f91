import { notifications } from '@mantine/notifications';
import { failureOf } from '#renderer/api/failure.ts';
import { FlowError } from '#shared/run/error.ts';
import { announce } from './announcer.ts';

/** Shows a success message for a few seconds. */
export function noticeDone(message: string): void {
  notifications.show({ message, color: 'accent', autoClose: 4000, withBorder: true });
}

/** Shows and announces a problem for 12 seconds, or until it is closed. */
export function noticeProblem(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', autoClose: 12_000, withBorder: true });
  announce(`${title}. ${message}`);
}

/** Shows a failed action with the message of its error. */
export function noticeFailure(title: string, thrown: unknown): void {
  noticeProblem(title, thrown instanceof FlowError ? thrown.message : failureOf(thrown).message);
}
