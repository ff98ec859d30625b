import { Problem } from '../../tools/host/problem';
import { formatDuration } from '../../tools/host/progress';
import type { NightlyPart } from './parts';

/** What running the parts needs from outside. */
interface Surroundings {
	/** What has passed for the code as it is. */
	passed: { has(name: string): boolean; add(name: string): void };
	/** @returns whether the part passed, and where its output is */
	run(part: NightlyPart): Promise<{ isGreen: boolean; logFile: string }>;
	write(text: string): void;
	/** In milliseconds. */
	now(): number;
}

/**
 * Runs parts one after the other and writes a line for each: its name, its result, and its time. A part that has passed
 * for this code, or whose programs are not installed, does not run.
 *
 * @returns whether none of them failed
 */
export async function runParts(parts: readonly NightlyPart[], around: Surroundings): Promise<boolean> {
	let isGreen = true;
	for (const part of parts) {
		// The name comes first, so that the line shows what runs.
		around.write(part.name.padEnd(18));
		const result = await runPart(part, around);
		if (result.startsWith('FAILED')) isGreen = false;
		around.write(`${result}\n`);
	}
	return isGreen;
}

async function runPart(part: NightlyPart, { passed, run, now }: Surroundings): Promise<string> {
	if (passed.has(part.name)) return 'passed before, with the same code';
	const reason = missingProgram(part);
	if (reason) return `skipped: ${reason}`;
	const startedAt = now();
	const { isGreen, logFile } = await run(part);
	const time = formatDuration(now() - startedAt);
	if (!isGreen) return `FAILED after ${time}, see ${logFile}`;
	passed.add(part.name);
	return `passed in ${time}`;
}

/** Why a part cannot run on this machine; undefined if it can. */
function missingProgram({ needs = [] }: NightlyPart): string | undefined {
	try {
		for (const find of needs) find();
		return undefined;
	} catch (failure) {
		if (failure instanceof Problem) return failure.message;
		throw failure;
	}
}
