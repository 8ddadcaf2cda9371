// Sends the request for the entered VIN and shows the response instead of the example.

for (const form of document.querySelectorAll('[data-try]')) {
  form.hidden = false;
  const [request, response] = form.parentElement.querySelectorAll('figure');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(form, request, response);
  });
}

// Opens the folded operation that the URL links to.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener('hashchange', unfold);
unfold();

async function show(form, request, figure) {
  const vin = form.elements.vin.value.replace(/[\s-]/g, '').toUpperCase();
  form.elements.vin.value = vin;
  const path = form.dataset.try.replace('{vin}', encodeURIComponent(vin));
  const url = new URL(path, location.href).href;
  for (const code of request.querySelectorAll('[data-url]')) {
    code.textContent = code.textContent.replace(code.dataset.url, () => url);
    code.dataset.url = url;
  }
  const status = figure.querySelector('b');
  const body = figure.querySelector('code');
  try {
    const response = await fetch(path);
    body.textContent = JSON.stringify(await response.json(), null, 2);
    status.textContent = response.status;
    status.className = `now mono ${response.ok ? 'good' : 'bad'}`;
  } catch {
    body.textContent = 'We couldn’t reach the service. Try again in a minute.';
    status.textContent = '';
  }
}
