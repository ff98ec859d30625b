import type { IBinaryData } from 'n8n-workflow';
import { fileBytes, type RunResult } from '../engine/runWorkflow';
import { leaksIn } from '../../unit/shared/secrets/spellings';

/** The spellings of the key in everything that a run gave: run data, context, error, hints, and all stored files. */
export async function leaksOf(result: Pick<RunResult, 'run' | 'error' | 'hints'>): Promise<string[]> {
	const texts: string[] = [];
	const files: IBinaryData[] = [];
	collect([result.run.data, result.error, result.hints], texts, files);
	for (const file of files) texts.push((await fileBytes(file)).toString('latin1'));
	return leaksIn(texts.join('\n'));
}

/** All texts in a value: names of fields and hidden properties of errors included. */
export function textsIn(value: unknown): string {
	const texts: string[] = [];
	collect(value, texts, []);
	return texts.join('\n');
}

function collect(root: unknown, texts: string[], files: IBinaryData[]): void {
	const open = [root];
	const seen = new Set<unknown>();
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') texts.push(value);
		if (typeof value !== 'object' || value === null || seen.has(value)) continue;
		seen.add(value);
		if (Buffer.isBuffer(value)) {
			texts.push(value.toString('latin1'));
			continue;
		}
		if ('mimeType' in value && 'id' in value) files.push(value as IBinaryData);
		for (const name of Object.getOwnPropertyNames(value)) {
			texts.push(name);
			open.push((value as Record<string, unknown>)[name]);
		}
	}
}
