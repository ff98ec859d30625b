/**
 * The memory of large files on their way through the nodes, beside that of a bare stream, each in a process of
 * its own with n8n's filesystem store: `npx tsx bench/speechMemory.ts`.
 */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { wavOf } from './wavStream';
import type { Part } from '../report';

interface Memory {
	/** MB above the memory before. */
	growth: number;
	/** MB of the whole process. */
	peak: number;
}

const RUNS = 5;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { method, url = '' } = request;
	if (url.startsWith('/v1/audio/speech')) {
		const { input } = JSON.parse(await text(request)) as { input: string };
		response.setHeader('content-type', 'audio/wav');
		return void Readable.from(wavOf(Number(input) * 1e6)).pipe(response);
	}
	if (method === 'GET') return void Readable.from(wavOf(Number(url.split('/').pop()) * 1e6)).pipe(response);
	request.resume().on('end', () => response.end(JSON.stringify({ model_name: 'bench', public: true })));
}

async function memoryOf(what: string, url: string): Promise<Memory> {
	const script = path.join(__dirname, 'speechMemoryRun.ts');
	const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', script, what, url], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	return JSON.parse(await text(child.stdout)) as Memory;
}

async function median(what: string, url: string): Promise<Memory> {
	const runs: Memory[] = [];
	for (let run = 0; run < RUNS; run++) runs.push(await memoryOf(what, url));
	return runs.sort((one, other) => one.growth - other.growth)[Math.floor(RUNS / 2)];
}

/** Memory of the largest files through Speech and VoiceModel. */
export async function measureSpeechMemory(): Promise<Part> {
	const server = createServer((request, response) => void serve(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const rows = [];
	for (const [title, node, bare] of [
		['256 MB answer into the store', 'nodeDownload', 'bareDownload'],
		['100 MB sample uploaded', 'nodeUpload', 'bareUpload'],
	]) {
		const [ours, theirs] = [await median(node, url), await median(bare, url)];
		rows.push({
			what: title,
			'node, MB more': ours.growth.toFixed(0),
			'bare, MB more': theirs.growth.toFixed(0),
			'node, MB in all': ours.peak.toFixed(0),
			'bare, MB in all': theirs.peak.toFixed(0),
			ratio: `${(ours.growth / theirs.growth).toFixed(2)} more, ${(ours.peak / theirs.peak).toFixed(2)} in all`,
		});
	}
	server.close();
	return {
		title: 'Large audio files',
		about:
			'Memory that a process grows by, median of five. "Bare" is the same stream through n8n\'s helpers alone.',
		rows,
	};
}
