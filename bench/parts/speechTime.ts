/**
 * Long speech in n8n's engine against the emulator in a process of its own: time in parallel beside time in series, and the length of the
 * joined file beside the sum of its parts: `npx tsx bench/speech.ts`. With ffmpeg on the machine, the lengths are also
 * measured by decoding.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { audioDuration } from '../../nodes/shared/files/audio/joinAudio';
import { fileBytes, oneNode, runWorkflow } from '../../test/integration/engine/runWorkflow';
import type { Part } from '../report';

const TEXT = 'The market rose by 3.5 percent today. Dr. Lee was glad! Was it luck? '
	.repeat(300)
	.slice(0, 20_000);
const FORMATS = ['mp3', 'wav', 'opus'];
/** A part of 4,096 characters takes a gateway longer than this. */
const LATENCY_MS = 4000;
let runs = 0;

async function speak(baseUrl: string, format: string, longText: string, maxConcurrency: number) {
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });
	const node = oneNode('speech', {
		operation: 'create',
		model: locator('svc-tts'),
		text: TEXT,
		voice: locator('Anders'),
		format,
		longText,
		binaryPropertyName: 'data',
		options: { maxConcurrency },
	});
	const credential = { baseUrl, apiKey: 'emulator-key', requestsPerMinute: 1e7 + runs++ };
	const { tookMs, items, error } = await runWorkflow(node, { credential });
	if (error) throw error;
	const files = await Promise.all(items.map(async ({ binary }) => await fileBytes(binary!.data)));
	return { tookMs, files };
}

/** Seconds of sound after decoding, or undefined without ffmpeg. */
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

/** Time of a long text whose parts are spoken in parallel, and the length of the joined file. */
export async function measureSpeechTime(): Promise<Part> {
	const emulator = spawn(process.execPath, [
		...['--import', 'tsx', path.join(__dirname, '../../emulator/cli.ts')],
		...['--port', '0', '--latency', String(LATENCY_MS)],
	]);
	const url = await new Promise<string>((resolve) => {
		emulator.stdout.on('data', (output: Buffer) => {
			const [address] = /http:\S+/.exec(output.toString()) ?? [];
			if (address) resolve(address);
		});
	});
	// The first run of each format loads what is loaded late.
	for (const format of FORMATS) await speak(url, format, 'join', 5);
	const rows = [];
	for (const format of FORMATS) {
		const parallel = await speak(url, format, 'join', 5);
		const serial = await speak(url, format, 'join', 1);
		const { files: parts } = await speak(url, format, 'items', 5);
		const [joined, separate] = [audioDuration(parallel.files[0]) ?? NaN, sum(parts.map(audioDuration))];
		const [heard, heardParts] = [decodedSeconds(parallel.files[0]) ?? NaN, sum(parts.map(decodedSeconds))];
		rows.push({
			format,
			'concurrency 5, ms': Math.round(parallel.tookMs),
			'concurrency 1, ms': Math.round(serial.tookMs),
			'of serial time': (parallel.tookMs / serial.tookMs).toFixed(3),
			'joined, s': joined.toFixed(2),
			'parts, s': separate.toFixed(2),
			'off by': `${((Math.abs(joined - separate) / separate) * 100).toFixed(4)} %`,
			'off by, decoded': `${((Math.abs(heard - heardParts) / heardParts) * 100).toFixed(4)} %`,
		});
	}
	emulator.kill();
	return { title: 'Long texts', about: `20,000 characters, ${LATENCY_MS} ms latency a request.`, rows };
}
