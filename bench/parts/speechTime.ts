import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator } from '../../emulator';
import { audioDuration } from '../../test/unit/audio/joined';
import { fileBytes, oneNode, runWorkflow } from '../../test/integration/engine/runWorkflow';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { ourNode, picked, task } from '../task';

const TEXT = 'The market rose by 3.5 percent today. Dr. Lee was glad! Was it luck? '
	.repeat(300)
	.slice(0, 20_000);
const FORMATS = ['mp3', 'wav', 'opus'];
/** A real gateway takes longer for a part of 4,096 characters. */
const LATENCY_MS = 1000;
/** Few rounds, because sequential requests take long and the time hardly varies. */
const ROUNDS = 3;
let runs = 0;

const parameters = (format: string, text: string, longText: string, parallelRequests: number) => ({
	operation: 'create',
	model: picked('svc-tts'),
	text,
	voice: picked('Anders'),
	format,
	longText,
	binaryPropertyName: 'data',
	limits: { parallelRequests },
});

/** Speech from the first characters of the text, joined into one file. */
const speech = (format: string, parallelRequests: number): Subject => ({
	name: `${format}, ${parallelRequests} at once`,
	task: (gateway, characters) =>
		task(gateway, ourNode('speech', parameters(format, '={{ $json.text }}', 'join', parallelRequests)), [
			{ text: TEXT.slice(0, characters) },
		]),
});

/** The time for five parts at once and for the same parts one at a time. */
async function timesOf(emulator: Emulator, format: string): Promise<{ parallel: number; serial: number }> {
	const job = {
		rules: { '*': { latencyMs: LATENCY_MS } },
		count: TEXT.length,
		rounds: ROUNDS,
		// More than one part, so that the warm-up includes joining.
		warmUp: 5000,
	};
	const results = await measureComplete(emulator, job, [speech(format, 5), speech(format, 1)]);
	const [parallel, serial] = [...results.values()].map((times) => median(times.map(({ tookMs }) => tookMs)));
	return { parallel, serial };
}

/** The files that the node generates from the text. Runs the node from its sources, to measure the audio. */
async function speak(emulator: Emulator, format: string, longText: string): Promise<Buffer[]> {
	const node = oneNode('speech', parameters(format, TEXT, longText, 5));
	const { url: baseUrl, apiKey } = emulator;
	const credential = { baseUrl, apiKey, requestsPerMinute: 1e7 + runs++ };
	const { items, error } = await runWorkflow(node, { credential });
	if (error) throw error;
	return await Promise.all(items.map(async ({ binary }) => await fileBytes(binary!.data)));
}

/** Seconds of decoded audio, or undefined if ffmpeg is not installed. */
function decodedSeconds(file: Buffer): number | undefined {
	const folder = mkdtempSync(path.join(tmpdir(), 'bench-speech-'));
	const name = path.join(folder, 'audio');
	writeFileSync(name, file);
	const output = ['-f', 's16le', '-ac', '1', '-ar', '48000', path.join(folder, 'pcm')];
	const { status } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-i', name, ...output]);
	const bytes = status === 0 ? statSync(path.join(folder, 'pcm')).size : 0;
	rmSync(folder, { recursive: true });
	return status === 0 ? bytes / 96_000 : undefined;
}

const sum = (numbers: Array<number | undefined>) =>
	numbers.reduce<number>((total, one) => total + (one ?? NaN), 0);

/** The time for a long text whose parts are generated in parallel, and the length of the joined file. */
export async function measureSpeechTime(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const format of FORMATS) {
		const { parallel, serial } = await timesOf(emulator, format);
		emulator.behaviour.reset();
		const [whole] = await speak(emulator, format, 'join');
		const parts = await speak(emulator, format, 'items');
		const [joined, separate] = [audioDuration(whole) ?? NaN, sum(parts.map(audioDuration))];
		const [decoded, decodedParts] = [decodedSeconds(whole) ?? NaN, sum(parts.map(decodedSeconds))];
		rows.push({
			format,
			'five at once, ms': Math.round(parallel),
			'one at a time, ms': Math.round(serial),
			ratio: (parallel / serial).toFixed(3),
			'joined, s': joined.toFixed(2),
			'parts, s': separate.toFixed(2),
			difference: `${((Math.abs(joined - separate) / separate) * 100).toFixed(4)} %`,
			...(Number.isNaN(decoded)
				? {}
				: {
						'difference, decoded': `${((Math.abs(decoded - decodedParts) / decodedParts) * 100).toFixed(4)} %`,
					}),
		});
	}
	return {
		title: 'Long texts',
		about: `20,000 characters in five parts, ${LATENCY_MS} ms per part, joined into one file. Medians of ${ROUNDS} interleaved runs. "Difference" compares the length of the joined file with the sum of its parts.`,
		rows,
	};
}
