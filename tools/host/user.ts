import type { Page } from './browser';

const OUTPUT = `document.querySelector('[data-test-id="output-panel"]')`;

/**
 * Somebody in n8n's editor, who types what can be typed. Counts the clicks, and takes a screenshot after each step.
 */
export class User {
	clicks = 0;
	/** The files of its screenshots. */
	readonly shots: string[] = [];

	constructor(
		readonly page: Page,
		private readonly pathPrefix: string,
	) {}

	/** Adds the first node to an empty canvas. @param words whose first result is the node @param action to choose of it */
	async addFirst(words: string, action: string): Promise<void> {
		await this.click('[data-test-id="canvas-plus-button"]');
		await this.type(words);
		await this.press('Enter');
		await this.click(this.page.getByText(new RegExp(`^${action}$`)));
	}

	/** Leaves the open node and adds one after it. @param words whose first result is the node */
	async addNext(words: string): Promise<void> {
		await this.press('Escape');
		await this.press('n');
		await this.type(words);
		await this.press('Enter');
	}

	/** Adds an agent with a chat trigger to an empty canvas. */
	async addAgent(): Promise<void> {
		await this.click('[data-test-id="canvas-plus-button"]');
		await this.type('ai agent');
		await this.click(this.page.getByText(/^AI Agent$/).first());
	}

	/** Connects a node to the open agent. @param kind of the connection @param next what to click when n8n describes it first */
	async addSubNode(kind: string, node: RegExp, next?: string): Promise<void> {
		await this.click(`[data-test-id="add-subnode-${kind}-0"]`);
		await this.type('unified');
		await this.click(this.page.getByText(node).first());
		if (next) await this.click(this.page.getByText(next));
	}

	/** Goes back to the agent that the open node belongs to. */
	async openAgent(): Promise<void> {
		await this.click('[data-test-id="floating-node"]');
	}

	/** Lets the agent fill in the first parameter that it can. */
	async letAgentFill(): Promise<void> {
		await this.click(this.page.locator('[data-test-id="from-ai-override-button"]').first());
	}

	/** Leaves the open node and asks the agent. */
	async chat(text: string): Promise<void> {
		await this.press('Escape');
		await this.click('[data-test-id="workflow-chat-button"]');
		await this.type(text);
		await this.press('Enter');
	}

	/** Waits until the page shows a text, and looks at it. */
	async sees(text: string): Promise<void> {
		await this.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
		await this.look();
	}

	/** Chooses the first entry of a list of the gateway. */
	async choose(parameter: string): Promise<void> {
		await this.click(`[data-test-id="resource-locator-${parameter}"] input`);
		await this.page.locator('[data-test-id="rlc-item"]').first().waitFor();
		await this.page.keyboard.press('ArrowDown');
		await this.press('Enter');
	}

	/** Chooses from a list of fixed choices. */
	async select(parameter: string, choice: string): Promise<void> {
		await this.click(`[data-test-id="parameter-input-${parameter}"] input`);
		await this.click(this.page.getByText(new RegExp(`^${choice}$`)));
	}

	/** Types a parameter; putting the cursor there is part of it. */
	async fill(parameter: string, text: string): Promise<void> {
		await this.fillIn(`[data-test-id="parameter-input-${parameter}"] textarea`, text);
	}

	async fillIn(selector: string, text: string): Promise<void> {
		await this.page.locator(selector).first().fill(text);
		await this.look();
	}

	/** Drags a field of the input to a parameter, where it becomes an expression. */
	async drag(field: string, selector: string): Promise<void> {
		const source = this.page.locator('[data-test-id="ndv-input-panel"]').getByText(field);
		await source.first().dragTo(this.page.locator(selector).first());
		await this.look();
	}

	async execute(): Promise<void> {
		await this.click('[data-test-id="node-execute-button"]');
	}

	/** Looks at the first file of a result. The click is not one on the way to it. */
	async showFile(): Promise<void> {
		await this.page.locator('[data-test-id="ndv-view-binary-data"]').first().click();
	}

	/** Waits until something is true of the output panel, and looks at it. */
	async seesInOutput(proof: string): Promise<void> {
		await this.page.waitForFunction(`${OUTPUT}.${proof}`);
		await this.look();
	}

	private async click(target: string | ReturnType<Page['locator']>): Promise<void> {
		await (typeof target === 'string' ? this.page.locator(target) : target).last().click();
		this.clicks++;
		await this.look();
	}

	private async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
		await this.look();
	}

	private async press(key: string): Promise<void> {
		await this.page.keyboard.press(key);
		await this.look();
	}

	/** Takes a screenshot once the editor has stopped moving. */
	private async look(): Promise<void> {
		await this.page.waitForTimeout(1500);
		const file = `${this.pathPrefix}-${this.shots.length + 1}.png`;
		await this.page.screenshot({ path: file });
		this.shots.push(file);
	}
}
