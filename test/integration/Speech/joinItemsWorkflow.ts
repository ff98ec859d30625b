import { chosen } from '../engine/chosen';
import { oneNode } from '../engine/runWorkflow';

/** A workflow in which Join Items speaks the text of each item, with its title and voice. */
export function joinItemsWorkflow(parameters: object = {}, settings: object = {}) {
	return oneNode(
		'speech',
		{
			operation: 'joinItems',
			model: chosen('svc-tts'),
			text: '={{ $json.text }}',
			voice: chosen('={{ $json.voice }}'),
			chapterTitle: '={{ $json.title }}',
			pauseSeconds: 0.7,
			...parameters,
		},
		settings,
	);
}
