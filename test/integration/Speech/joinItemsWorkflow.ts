import { oneNode } from '../engine/runWorkflow';

/** A workflow in which Join Items speaks the text of each item, with its title and voice. */
export function joinItemsWorkflow(parameters: object = {}, settings: object = {}) {
	return oneNode(
		'speech',
		{
			operation: 'joinItems',
			model: { __rl: true, mode: 'id', value: 'svc-tts' },
			text: '={{ $json.text }}',
			voice: { __rl: true, mode: 'id', value: '={{ $json.voice }}' },
			chapterTitle: '={{ $json.title }}',
			pauseSeconds: 0.7,
			...parameters,
		},
		settings,
	);
}
