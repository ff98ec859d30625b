import type { WorkflowNode } from '../n8nTypes';
import { always, byId, type Mistake, notSelected, ours, textFile } from './mistake';

function image(parameters: object): WorkflowNode {
	return ours('image', {
		operation: 'generate',
		model: byId('image-2'),
		prompt: 'A red kite',
		...parameters,
	});
}

function speech(parameters: object): WorkflowNode {
	const given = { model: byId('svc-tts'), text: 'Good morning', voice: byId('Iris') };
	return ours('speech', { operation: 'create', ...given, ...parameters });
}

function music(parameters: object): WorkflowNode {
	return ours('music', { operation: 'generate', prompt: 'A calm song', ...parameters });
}

const sample = { binaryPropertyName: 'data', transcript: 'Good morning' };

function voiceModel(parameters: object): WorkflowNode {
	const samples = { sample: [sample, sample] };
	return ours('voiceModel', { operation: 'create', name: 'narrator', samples, ...parameters });
}

/** Mistakes in Image, Speech, Voice Model, and Music. */
export const mediaMistakes: Mistake[] = [
	{
		name: 'always status 429',
		nodes: [image({ limits: { maxRateLimitRetries: 1 } })],
		rules: always(429),
		says: ['rate limit of the gateway is reached', 'increase Max Rate Limit Retries in Limits and Retries'],
	},
	{
		name: 'always status 500',
		nodes: [image({})],
		rules: always(500),
		says: ['temporarily unavailable (status 500', 'Run the item again in a few minutes'],
	},
	{
		name: 'time limit too short',
		nodes: [image({ limits: { timeoutSeconds: 1 } })],
		rules: { '*': { latencyMs: 4000 } },
		says: ['did not respond in time', 'increase Timeout (Seconds) in Limits and Retries'],
	},
	{
		name: 'unusual size',
		nodes: [image({ size: 'custom', customSize: 'very large' })],
		says: ['Size is "very large"', '1024x1024'],
	},
	{
		name: 'no custom size',
		nodes: [image({ size: 'custom', customSize: '' })],
		says: ['Custom Size is empty', 'Enter a value for Custom Size'],
	},
	{
		name: 'wrong aspect ratio',
		nodes: [image({ size: 'ratio', aspectRatio: 'wide' })],
		says: ['Aspect Ratio is "wide", which is not a ratio', 'for example 16:9'],
	},
	{
		name: 'unknown voice',
		nodes: [speech({ voice: byId('Nobody') })],
		says: ['no voice "Nobody"', 'select Voice from the list'],
	},
	{ name: 'no voice', nodes: [speech({ voice: notSelected })], says: ['"Voice" is required'] },
	{ name: 'empty text', nodes: [speech({ text: '' })], says: ['"Text" is required'] },
	{
		name: 'unknown format',
		nodes: [speech({ format: 'custom', customFormat: 'cd' })],
		says: ['The gateway returned mp3 although Format is "cd"'],
	},
	{
		name: 'no contact email',
		nodes: [...textFile(), voiceModel({})],
		says: ['Contact Email is empty', 'turn on Public'],
	},
	{
		name: 'sample that is not audio',
		nodes: [...textFile(), voiceModel({ public: true })],
		says: ['Samples (sample 1) is not a recognizable audio file', 'Convert it to WAV'],
	},
	{
		name: 'one sample',
		nodes: [...textFile(), voiceModel({ public: true, samples: { sample: [sample] } })],
		says: ['Samples has 1 recording, but a voice needs two or three', 'Add or remove samples'],
	},
	{
		name: 'sample in a field that does not exist',
		nodes: [voiceModel({ public: true })],
		says: ['Samples (sample 1) refers to the binary field "data"', 'This item has no files'],
	},
	{
		name: 'unknown task',
		nodes: [music({ operation: 'get', taskId: 'task-123' })],
		says: ['no task "task-123"', 'Check Task ID'],
	},
	{
		name: 'no task',
		nodes: [music({ operation: 'wait' })],
		says: ['Task ID is empty', 'check that this item has the field'],
	},
	{
		name: 'poll interval out of range',
		nodes: [music({ limits: { pollIntervalSeconds: 1 } })],
		says: ['Poll Interval (Seconds) is 1, but must be a number from 2 to 60'],
	},
	{
		name: 'prompt that the gateway rejects',
		nodes: [music({ prompt: 'A song [fail]', limits: { pollIntervalSeconds: 5 } })],
		rules: { '*': { music: { pendingMs: 0, processingMs: 0 } } },
		says: ['could not finish the task', 'Fix the stated reason'],
	},
	{
		name: 'song without lyrics',
		nodes: [music({ ownLyrics: true, lyrics: '', style: 'folk', title: 'Snow' })],
		says: ['"Lyrics" is required'],
	},
];
