import { setTimeout as pause } from 'node:timers/promises';

const CHECK_EVERY_MS = 5;
/** A limit far above the time that anything takes on a busy machine, in milliseconds. */
const GUARD_MS = 120_000;

/**
 * Waits until a condition holds that must follow from the test, but at an uncertain time. For example, n8n ends a
 * canceled execution before its nodes have ended.
 */
export async function eventually(isSo: () => boolean): Promise<void> {
	for (let waited = 0; !isSo() && waited < GUARD_MS; waited += CHECK_EVERY_MS) await pause(CHECK_EVERY_MS);
	expect(isSo()).toBe(true);
}
