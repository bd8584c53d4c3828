// What is wrong with a page as it is shown now: a list of sentences.
const TOLERANCE = 1, SMALLEST_TEXT = 9, LEAST_CONTRAST = 4.5;
const faults = [];
const shown = element => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden';
const quoted = element => `'${element.textContent.trim().slice(0, 60)}'`;

function plots() {
  for (const svg of [...document.querySelectorAll('svg')].filter(shown)) {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / svg.viewBox.baseVal.width;
    const labels = [...svg.querySelectorAll('text')].map(text => ({text, box: text.getBoundingClientRect()}));
    if (labels.length === 0) faults.push('a plot has no labels');
    for (const {text, box} of labels) {
      if (box.left < frame.left - TOLERANCE || box.right > frame.right + TOLERANCE
          || box.top < frame.top - TOLERANCE || box.bottom > frame.bottom + TOLERANCE) {
        faults.push(`label ${quoted(text)} is cut off by its plot`);
      }
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < SMALLEST_TEXT) faults.push(`label ${quoted(text)} is ${size.toFixed(1)} pixels high`);
    }
    labels.forEach((one, i) => labels.slice(i + 1).forEach(other => {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const upwards = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > TOLERANCE && upwards > TOLERANCE) {
        faults.push(`labels ${quoted(one.text)} and ${quoted(other.text)} overlap`);
      }
    }));
    if (frame.right > document.documentElement.clientWidth + TOLERANCE || frame.left < -TOLERANCE) {
      faults.push('a plot is wider than the page');
    }
  }
}

function width() {
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    faults.push(`the page scrolls sideways: it is ${page.scrollWidth} pixels wide, and the window ${page.clientWidth}`);
  }
}

function rgba(colour) {
  const numbers = (colour.match(/[\d.]+/g) || []).map(Number);
  return {r: numbers[0], g: numbers[1], b: numbers[2], a: numbers.length > 3 ? numbers[3] : 1};
}

function over(front, back) {
  const mix = (f, b) => f * front.a + b * (1 - front.a);
  return {r: mix(front.r, back.r), g: mix(front.g, back.g), b: mix(front.b, back.b), a: 1};
}

// Of what lies behind the element, the nearest first, down to the paper.
function background(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((below, layer) => over(layer, below), {r: 255, g: 255, b: 255, a: 1});
}

function luminance(colour) {
  const linear = [colour.r, colour.g, colour.b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// As WCAG 2 defines it.
function contrast(element) {
  const back = background(element);
  const style = getComputedStyle(element);
  const front = rgba(element.closest('svg') ? style.fill : style.color);
  for (let at = element; at; at = at.parentElement) front.a *= Number(getComputedStyle(at).opacity);
  const [light, dark] = [luminance(over(front, back)), luminance(back)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function contrasts() {
  const seen = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || seen.has(element) || ['TITLE', 'DESC', 'STYLE'].includes(element.tagName.toUpperCase())
        || !shown(element)) continue;
    seen.add(element);
    const ratio = contrast(element);
    if (!(ratio >= LEAST_CONTRAST)) faults.push(`text ${quoted(element)} has a contrast of ${ratio.toFixed(2)}`);
  }
  if (seen.size === 0) faults.push('the page has no text');
}

function strangers() {
  for (const element of document.querySelectorAll('*')) {
    if (element.tagName.toLowerCase() === 'script') faults.push('there is a script');
    for (const {name, value} of element.attributes) {
      if (name.startsWith('on')) faults.push(`there is a script in ${name}`);
      // A link loads nothing by itself.
      if (element.tagName === 'A' && name === 'href' && /^https?:\/\//.test(value)) continue;
      if (/^(src|href|xlink:href|data|action|poster|srcset)$/.test(name) && !/^(data:|#)/.test(value)) {
        faults.push(`${name} points elsewhere: ${value}`);
      }
    }
  }
  for (const style of document.querySelectorAll('style')) {
    if (/url\(|@import/.test(style.textContent)) faults.push('a style points elsewhere');
  }
  for (const entry of performance.getEntriesByType('resource')) {
    if (!entry.name.startsWith('data:')) faults.push(`the page has asked for ${entry.name}`);
  }
}

// What is read first in a table of figures must be seen before it is scrolled; paper does not scroll.
function firstFigures() {
  if (matchMedia('print').matches) return;
  for (const table of [...document.querySelectorAll('.figures')].filter(shown)) {
    const box = table.closest('.box').getBoundingClientRect();
    for (const heading of [...table.querySelectorAll('thead th')].filter(th => /^(values\/s|p50 ms|p99 ms)$/.test(th.textContent))) {
      const right = heading.getBoundingClientRect().right;
      if (right > box.right + TOLERANCE) {
        faults.push(`${heading.textContent} is ${Math.round(right - box.right)} pixels beyond what is seen of its table`);
      }
    }
  }
}

// Needs and modes are read at a glance.
function brokenWords() {
  for (const name of [...document.querySelectorAll('.words tbody th, .answer tbody th')].filter(shown)) {
    const text = name.firstChild;
    if (!text || !text.data) continue;
    for (const word of text.data.matchAll(/[\w,]+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) faults.push(`the word '${word[0]}' is broken`);
    }
  }
}

plots();
brokenWords();
firstFigures();
width();
contrasts();
strangers();
return faults;
