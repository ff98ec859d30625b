/**
 * One transfer in a process of its own, so that its memory can be told apart: `speechMemory.ts` starts it.
 * Arguments: what to do, and the address of the server.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { get, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import {
	oneNode,
	runWorkflow,
	storedFile,
	type WorkflowJson,
} from '../../test/integration/engine/runWorkflow';
import { wavOf } from './wavStream';

const [what, url] = process.argv.slice(2);
const UPLOAD_BYTES = 100_000_000;

async function run(node: WorkflowJson, binary: Record<string, IBinaryData> = {}): Promise<void> {
	const credential = { baseUrl: url, apiKey: 'bench-key' };
	const { error } = await runWorkflow(node, { credential, input: [{ json: {}, binary }] });
	if (error) throw error;
}

async function nodeDownload(megabytes: number): Promise<void> {
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });
	await run(
		oneNode('speech', {
			operation: 'create',
			model: locator('svc-tts'),
			text: String(megabytes),
			voice: locator('Anders'),
			format: 'wav',
			longText: 'asIs',
			binaryPropertyName: 'data',
			options: {},
		}),
	);
}

async function bareDownload(megabytes: number): Promise<void> {
	const file = path.join(tmpdir(), `bare-download-${process.pid}`);
	const answer = await new Promise<Readable>((resolve) => get(`${url}/bare/${megabytes}`, resolve));
	await pipeline(answer, createWriteStream(file));
	rmSync(file);
}

async function nodeUpload(file: IBinaryData, small: IBinaryData): Promise<void> {
	const samples = ['one', 'two'].map((field) => ({ binaryPropertyName: field, transcript: 'Text.' }));
	const node = oneNode('voiceModel', {
		operation: 'create',
		name: 'bench',
		samplesFrom: 'fields',
		samples: { sample: samples },
		public: true,
		simplify: true,
		options: {},
	});
	await run(node, { one: file, two: small });
}

async function bareUpload(file: IBinaryData): Promise<void> {
	const content = await Container.get(BinaryDataService).getAsStream(file.id!);
	await new Promise<void>((resolve, reject) => {
		const upload = request(`${url}/bare`, { method: 'POST' }, (answer) => answer.resume().on('end', resolve));
		pipeline(content, upload).catch(reject);
	});
}

/** Most memory above the one before, in MB, while some work is done. */
async function growth(work: () => Promise<void>): Promise<{ growth: number; peak: number }> {
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
	await work();
	clearInterval(timer);
	peak = Math.max(peak, process.memoryUsage().rss);
	return { growth: (peak - before) / 1e6, peak: peak / 1e6 };
}

async function main(): Promise<void> {
	const small = await storedFile(Readable.from(wavOf(500_000)), 'small.wav', 'audio/wav');
	const large = what.endsWith('Upload')
		? await storedFile(Readable.from(wavOf(UPLOAD_BYTES)), 'large.wav', 'audio/wav')
		: small;
	const work: Record<string, (warmUp: boolean) => Promise<void>> = {
		nodeDownload: async (warmUp) => await nodeDownload(warmUp ? 1 : 256),
		bareDownload: async (warmUp) => await bareDownload(warmUp ? 1 : 256),
		nodeUpload: async (warmUp) => await nodeUpload(warmUp ? small : large, small),
		bareUpload: async (warmUp) => await bareUpload(warmUp ? small : large),
	};
	// The first run loads what is loaded late.
	await work[what](true);
	process.stdout.write(JSON.stringify(await growth(async () => await work[what](false))));
}

void main();
