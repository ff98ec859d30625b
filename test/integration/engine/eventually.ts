import { setTimeout as pause } from 'node:timers/promises';

const CHECK_EVERY_MS = 5;
/** A guard, far above what anything takes on a busy machine. */
const GUARD_MS = 120_000;

/**
 * Waits until something is the case that follows from the test, but at an open moment: n8n ends a cancelled execution
 * before its nodes have ended.
 */
export async function eventually(isSo: () => boolean): Promise<void> {
	for (let waited = 0; !isSo() && waited < GUARD_MS; waited += CHECK_EVERY_MS) await pause(CHECK_EVERY_MS);
	expect(isSo()).toBe(true);
}
