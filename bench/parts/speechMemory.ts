import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Emulator } from '../../emulator';
import { measureComplete, type Gateway, type Subject } from '../measure';
import { peakMemory, type Part } from '../report';
import { bareNode, httpRequestNode, openAiNode, ourNode, picked, task, type NodeOf } from '../task';
import { wavOf } from './wavStream';

const ROUNDS = 5;
const ANSWER_MEGABYTES = 256;
const SAMPLE_MEGABYTES = 100;
const WARM_UP_MEGABYTES = 1;
const SPEECH = '/v1/audio/speech';

/** A gateway that returns as many megabytes of speech as the input says (the emulator does not speak texts that long). */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (request.url === SPEECH) {
		const { input } = JSON.parse(await text(request)) as { input: string };
		response.setHeader('content-type', 'audio/wav');
		return void Readable.from(wavOf(Number(input) * 1e6)).pipe(response);
	}
	response.setHeader('content-type', 'application/json');
	request.resume().on('end', () => response.end(JSON.stringify({ model_name: 'bench', public: true })));
}

/** Speech of the given number of megabytes, from the gateway at `url`. */
const speech = (name: string, url: string, node: (gateway: Gateway) => NodeOf): Subject => ({
	name,
	task: (gateway, size) => {
		const own = { ...gateway, url };
		return task(own, node(own), [{ prompt: String(size) }]);
	},
});

const downloads = (url: string): Subject[] => [
	speech('Unified AI Speech', url, () =>
		ourNode('speech', {
			operation: 'create',
			model: picked('svc-tts'),
			text: '={{ $json.prompt }}',
			voice: picked('Anders'),
			format: 'wav',
			longText: 'asIs',
			binaryPropertyName: 'data',
			options: {},
		}),
	),
	speech('Bare helper, streamed', url, (gateway) => bareNode(gateway, SPEECH, 'speech', 1)),
	speech('Bare helper, buffered', url, (gateway) => bareNode(gateway, SPEECH, 'bufferedSpeech', 1)),
	speech('HTTP Request node', url, (gateway) =>
		httpRequestNode(
			gateway,
			SPEECH,
			'={{ JSON.stringify({ model: "svc-tts", input: $json.prompt, voice: "Anders", response_format: "wav" }) }}',
			{ response: { response: { responseFormat: 'file' } } },
		),
	),
	speech("n8n's OpenAI node", url, () =>
		openAiNode({
			resource: 'audio',
			operation: 'generate',
			model: 'svc-tts',
			input: '={{ $json.prompt }}',
			voice: 'Anders',
			options: { response_format: 'wav' },
		}),
	),
];

/** An upload of the sample with the given number of megabytes, to the gateway at `url`. */
const upload = (name: string, url: string, folder: string, node: (gateway: Gateway) => NodeOf): Subject => ({
	name,
	task: (gateway, size) => {
		const own = { ...gateway, url };
		const files = { large: sampleFile(folder, size), small: sampleFile(folder, WARM_UP_MEGABYTES) };
		return task(own, node(own), [{}], files);
	},
});

const uploads = (url: string, folder: string): Subject[] => [
	upload('Unified AI Voice Model', url, folder, () =>
		ourNode('voiceModel', {
			operation: 'create',
			name: 'bench',
			samplesFrom: 'fields',
			samples: {
				sample: ['large', 'small'].map((field) => ({ binaryPropertyName: field, transcript: 'Text.' })),
			},
			public: true,
			simplify: true,
			options: {},
		}),
	),
	upload('Bare helper, streamed', url, folder, (gateway) =>
		bareNode(gateway, '/upload', 'upload', 1, 'large'),
	),
	upload('HTTP Request node, form', url, folder, (gateway) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${gateway.url}/upload`,
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'audio_files', inputDataFieldName: 'large' }],
			},
			options: {},
		},
		credentials: {},
	})),
];

const sampleFile = (folder: string, size: number) => path.join(folder, `${size}.wav`);

/** The memory that Speech and Voice Model need for the largest files. */
export async function measureSpeechMemory(emulator: Emulator): Promise<Part> {
	const server = await listen();
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-samples-'));
	try {
		for (const size of [SAMPLE_MEGABYTES, WARM_UP_MEGABYTES]) {
			await pipeline(Readable.from(wavOf(size * 1e6)), createWriteStream(sampleFile(folder, size)));
		}
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		return {
			title: 'Large audio files',
			about: `Peak memory above idle; medians of ${ROUNDS} interleaved runs. A bare helper streams the same file between the network and n8n's binary store.`,
			rows: [
				...(await rowsOf(emulator, 'MB response saved', ANSWER_MEGABYTES, downloads(url), 1e6)),
				...(await rowsOf(emulator, 'MB sample uploaded', SAMPLE_MEGABYTES, uploads(url, folder), 0)),
			],
		};
	} finally {
		server.close();
		await rm(folder, { recursive: true });
	}
}

async function rowsOf(
	emulator: Emulator,
	job: string,
	size: number,
	subjects: Subject[],
	storedPerMegabyte: number,
): Promise<Part['rows']> {
	const settings = { rules: {}, count: size, rounds: ROUNDS, warmUp: WARM_UP_MEGABYTES, isAboutMemory: true };
	const results = await measureComplete(emulator, settings, subjects, size * storedPerMegabyte);
	return [...results].map(([node, runs]) => ({
		job: `${size} ${job}`,
		node,
		...peakMemory(runs),
	}));
}

async function listen(): Promise<Server> {
	const server = createServer((request, response) => void serve(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}
