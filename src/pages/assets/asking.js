// While a lookup runs: polls until it ends, then replaces the content of this page with the finished one.

async function waitUntilReady(box) {
  for (let attempt = 0; attempt < 8; attempt++) {
    const response = await fetch(box.dataset.asking).catch(() => null);
    if (response?.status === 204) return true;
    // The service itself waits before it sends 202.
    if (response?.status !== 202) await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  return false;
}

async function showFinishedPage() {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  document.title = page.title;
  document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const { src } of page.querySelectorAll('script[type=module]')) await import(src);
  // Another lookup may have started meanwhile.
  if (document.querySelector('[data-asking]')) location.reload();
}

/** After a while, says that this takes longer than usual. */
function announceDelay(box) {
  const { lateAfter, late } = box.dataset;
  if (!late) return;
  setTimeout(() => {
    if (!box.isConnected) return;
    box.classList.add('late');
    box.querySelector('h2').textContent = late;
  }, lateAfter * 1000);
}

const boxes = [...document.querySelectorAll('[data-asking]')];
boxes.forEach(announceDelay);
const ready = await Promise.all(boxes.map(waitUntilReady));
if (ready.every(Boolean)) {
  await showFinishedPage().catch(() => location.reload());
} else {
  for (const box of boxes) {
    box.classList.add('late');
    box.querySelector('h2, [role=status]').textContent =
      'This is taking longer than usual. Reload the page in a minute.';
  }
}
