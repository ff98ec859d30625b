import type { IBinaryData } from 'n8n-workflow';
import { nodeTypes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { wav } from '../VoiceModel/voiceSamples';

const gateway = useEmulator(412_000_000);
const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
const sample: IBinaryData = { data: wav().toString('base64'), mimeType: 'audio/wav', fileName: 'sample.wav' };
const SONG = { operation: 'generate', model: chosen('music-v5'), prompt: 'Rain' };
const TASK = { operation: 'get', taskId: 'one' };
const VOICE = {
	operation: 'create',
	name: 'Voice',
	public: true,
	samples: { sample: ['one', 'two'].map((name) => ({ binaryPropertyName: name, transcript: 'A text.' })) },
};

/** Every path that has an alternative, and the option that leads to it. */
const PATHS: Array<[path: string, option: string, node: string, parameters: object]> = [
	['POST /v1/music/generations', 'Submit Path', 'music', SONG],
	['POST /v1/music/generate', 'Submit Path', 'music', { ...SONG, options: { submitPath: 'generate' } }],
	['GET /v1/music/tasks/*', 'Query Path', 'music', TASK],
	['GET /v1/music/query', 'Query Path', 'music', { ...TASK, options: { queryPath: 'query' } }],
	['POST /v1/voice/model', 'Create Path', 'voiceModel', VOICE],
	[
		'POST /v1/voice-clone/create-model',
		'Create Path',
		'voiceModel',
		{ ...VOICE, options: { createPath: 'voiceClone' } },
	],
	[
		'POST /v1beta/models/*',
		'Stream',
		'chat',
		{ operation: 'generateContent', model: chosen('aurora-4'), prompt: 'Hi', options: { stream: true } },
	],
];

const answers: Array<[string, object]> = [
	[
		'an error',
		{
			kind: 'status',
			status: 404,
			body: { error: { message: 'Invalid URL', type: 'invalid_request_error' } },
		},
	],
	['a web page', { kind: 'html', status: 404 }],
	['nothing', { kind: 'empty', status: 405 }],
];

describe.each(PATHS)('A gateway without %s', (path, option, node, parameters) => {
	it.each(answers)('leads to the option for another one, with %s', async (_what, fault) => {
		gateway.emulator.behaviour.set(path, { faults: [{ ...fault, times: 'always' }] as never });
		const { error } = await runWorkflow(oneNode(node, { ...parameters }), {
			credential: gateway.credential(),
			input: [{ json: {}, binary: { one: sample, two: sample } }],
		});
		expect(error?.description).toMatch(new RegExp(`\\b${option} in Options\\.$`));
		expect(JSON.stringify(nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description)).toContain(
			`"displayName":"${option}"`,
		);
		expect(gateway.emulator.journal.count()).toBe(1);
	});
});

it('A model that the gateway does not have says nothing about paths', async () => {
	gateway.emulator.behaviour.set('POST /v1/music/generations', {
		faults: [
			{ kind: 'status', status: 404, body: { error: { message: 'No such model', code: 'model_not_found' } } },
		],
	});
	const { error } = await runWorkflow(oneNode('music', SONG), { credential: gateway.credential() });
	expect(error?.description).toContain('Select the model');
	expect(error?.description).not.toContain('Submit Path');
});
