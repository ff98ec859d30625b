import { schemaFiles } from '../../test/integration/schemas/files';
import { launchBrowser, openEditor, openWorkflow, openPanel } from './browser';
import { openStage } from './stage';
import { manualTrigger, workflowNode, connectInOrder } from './workflowBuilder';
import { writeFileSync } from 'node:fs';

async function main() {
	const stage = await openStage();
	try {
		const bad: string[] = [];
		for (const { node, operation, file } of schemaFiles) {
			const resource = file.split('/').at(-2)!;
			const response = await fetch(`${stage.server.url}/schemas/${stage.packageName}.${node}/1.0.0/${resource}/${operation}.json`);
			const body = response.ok ? await response.json() as any : undefined;
			if (response.status !== 200 || body.type !== 'object') bad.push(`${node} ${operation} ${response.status}`);
		}
		console.log('schemas', schemaFiles.length, 'bad', bad);
		writeFileSync('/tmp/types.json', JSON.stringify(stage.nodeTypes.filter((n: any) => n.name.includes('unified'))));
		const browser = await launchBrowser();
		const shots: Array<[string, any]> = [
			['chat', ['chat', { operation: 'chatCompletion', model: { __rl: true, mode: 'id', value: 'aurora-4' }, prompt: 'Hello' }]],
			['trends', ['utilities', { operation: 'microblogHot' }]],
			['weather', ['utilities', { operation: 'currentWeather', query: '北京' }]],
			['custom', ['utilities', { operation: 'getCustomEndpoint', path: '60s' }]],
		];
		for (const [name, [type, parameters]] of shots) {
			const nodes = [manualTrigger(), workflowNode('Before', `${stage.packageName}.${type}`, 1, parameters, { position: [220, 0] }), workflowNode('Edit Fields', 'n8n-nodes-base.set', 3.4, {}, { position: [440, 0] })];
			const id = await stage.rest.replaceWorkflow(stage.prepare({ name: `S ${name}`, nodes, connections: connectInOrder(nodes), settings: { executionOrder: 'v1' } } as never));
			const page = await openEditor(browser, stage.server.url, stage.owner, 'light');
			await openWorkflow(page, stage.server.url, id);
			await openPanel(page, 'Edit Fields');
			await page.waitForTimeout(2500);
			await page.screenshot({ path: `/tmp/shot-${name}.png` });
			await page.close();
		}
		// the list of actions
		const page = await openEditor(browser, stage.server.url, stage.owner, 'light');
		const nodes = [manualTrigger()];
		const id = await stage.rest.replaceWorkflow(stage.prepare({ name: 'A', nodes, connections: {}, settings: {} } as never));
		await openWorkflow(page, stage.server.url, id);
		await page.keyboard.press('n');
		await page.waitForTimeout(1000);
		await page.keyboard.type('Unified AI Utilities');
		await page.waitForTimeout(1500);
		await page.getByText('Unified AI Utilities').first().click();
		await page.waitForTimeout(1500);
		await page.screenshot({ path: '/tmp/shot-actions.png' });
		await page.keyboard.type('weibo');
		await page.waitForTimeout(1500);
		await page.screenshot({ path: '/tmp/shot-actions-weibo.png' });
		await page.getByText(/like Weibo/).first().click();
		await page.waitForTimeout(2500);
		await page.screenshot({ path: '/tmp/shot-added.png' });
		await browser.close();
	} finally { await stage.close(); }
}
main().catch((e) => { console.error(e); process.exitCode = 1; });
