/** Returns a view with every type of component. */
export const board = (tasks: readonly string[]) => `
  component "title" {
    type    = "text"
    content = "Tasks <script>document.title = 'hacked'</script>"
    style   = "heading"
  }
  component "figures" {
    type = "stat-group"
    stat "open" {
      label = "Open"
      value = "${tasks.length}"
    }
    stat "done" {
      label = "Done"
      value = 12
    }
  }
  component "all" {
    type    = "table"
    columns = ["Task", "Since"]
    rows    = [${tasks.map(task => `[${JSON.stringify(task)}, "today"]`).join(', ')}]
    caption = "What is to be done"
  }
  component "add" {
    type         = "form"
    title        = "A new task"
    action       = "/api/v1/workspaces/default/views/desk/routes/api/tasks"
    submit_label = "Add"
    field "task" {
      type     = "string"
      label    = "Task"
      required = true
    }
    field "urgent" { type = "bool" }
  }
  component "evil" {
    type   = "button"
    label  = "Take over"
    action = "/api/v1/workspaces/default/views/desk/routes/../../../../../keys"
  }
  component "more" {
    type  = "section"
    title = "More"
    component "notes" {
      type    = "markdown"
      content = "Some **bold** words, <img src=x onerror=alert(1)> and a [link](javascript:alert(1))."
    }
    component "grid" {
      type    = "grid"
      columns = 3
      component "card" {
        type    = "card"
        title   = "A card"
        content = "With words."
        component "state" {
          type  = "badge"
          label = "late"
          tone  = "bad"
        }
      }
      component "share" {
        type  = "progress"
        label = "Done"
        value = 12
        max   = 20
      }
      component "week" {
        type   = "chart"
        title  = "A week"
        labels = ["Mo", "Tu", "We"]
        values = [3, 5, 2]
      }
    }
    component "line" { type = "divider" }
    component "steps" {
      type    = "list"
      items   = ["one", "two"]
      ordered = true
    }
    component "warn" {
      type    = "alert"
      title   = "Careful"
      content = "Something is late."
      tone    = "warn"
    }
    component "log" {
      type    = "code"
      content = "a = 1"
    }
    component "out" {
      type  = "link"
      label = "Elsewhere"
      href  = "https://example.com"
    }
    component "trap" {
      type  = "link"
      label = "A trap"
      href  = "javascript:alert(1)"
    }
    component "picture" {
      type = "image"
      src  = "https://tracker.example/pixel.png"
      alt  = "A picture"
    }
    component "strange" { type = "hologram" }
  }`
